"""``speciate resume``: goes on with a run."""

from __future__ import annotations

from speciate.cli import ensemble_options as own
from speciate.cli import options
from speciate.cli.output import Output


def resume(
    run: options.RunArgument,
    candidates: options.MoreCandidates = None,
    evaluations: options.Evaluations = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    max_calls: options.MaxCalls = None,
    max_seconds: options.MaxSeconds = None,
    set_: options.Settings = None,
    anew: own.Anew = False,
    approve: options.Approve = False,
    unsafe_no_sandbox: options.Unsafe = False,
    allow_unknown_price: options.AllowUnknownPrice = False,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Goes on with a run where it ended, however it ended. Caps count from the run's beginning.

    An ensemble goes on at all of its nodes; caps are for all of them together.

    \b
    speciate resume runs/circle_packing-1 --candidates 2000
    """
    from speciate.cli.carry_on import carry_on
    from speciate.cli.ensemble_start import carry_on_ensemble
    from speciate.cli.network import carry_on_node
    from speciate.cli.settings import Caps, Course
    from speciate.ensembles import is_ensemble, is_node
    from speciate.errors import UsageError

    caps = Caps(
        candidates=candidates,
        evaluations=evaluations,
        max_cost=max_cost,
        max_tokens=max_tokens,
        max_calls=max_calls,
        max_seconds=max_seconds,
        allow_unknown_price=allow_unknown_price,
    )
    layers = [caps.layer(), Course(unsafe_no_sandbox=unsafe_no_sandbox).layer()]
    output = Output(as_json=as_json, quiet=quiet)
    if is_ensemble(run):
        carry_on_ensemble(run, layers, set_ or (), anew=anew, approve=approve, output=output)
        return
    if anew:
        raise UsageError("--anew is for ensembles that have lost a node: a single run has none")
    going_on = carry_on_node if is_node(run) else carry_on
    going_on(run, layers, set_ or (), approve=approve, output=output)
