"""``speciate node``: one node of an ensemble whose others are elsewhere."""

from __future__ import annotations

from speciate.cli import ensemble_options as own
from speciate.cli import options
from speciate.cli.output import Output


def node(
    task: options.TaskArgument,
    transport: own.Transport,
    name: own.NodeName,
    ensemble: own.EnsembleName = None,
    rounds: own.NodeRounds = None,
    iterations: own.NodeIterations = None,
    take_over: own.TakeOver = False,
    model: options.Models = None,
    preset: options.PresetName = None,
    config: options.ConfigFile = None,
    set_: options.Settings = None,
    seed: options.Seed = None,
    out: own.NodeOut = None,
    candidates: options.Candidates = None,
    evaluations: options.Evaluations = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    max_calls: options.MaxCalls = None,
    max_seconds: options.MaxSeconds = None,
    driver: options.DriverOption = None,
    in_flight: options.InFlight = None,
    order: options.OrderOption = None,
    approve: options.Approve = False,
    unsafe_no_sandbox: options.Unsafe = False,
    allow_unknown_price: options.AllowUnknownPrice = False,
    allow_invalid_seed: options.AllowInvalidSeed = False,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Evolves a task as one node of an ensemble, and exchanges champions with the others through a broker.

    A node that was begun in its folder already goes on; caps count from its beginning.

    \b
    speciate node corewar --transport nats://127.0.0.1:4222 --ensemble mars --name first --rounds 10
    """
    from speciate.cli.folders import check_out
    from speciate.cli.keyed import preset_remarks
    from speciate.cli.network import Place, start_node
    from speciate.cli.settings import Caps, Course, layers_given, preset_for, settings

    check_out(out, task)
    caps = Caps(
        candidates=candidates,
        evaluations=evaluations,
        max_cost=max_cost,
        max_tokens=max_tokens,
        max_calls=max_calls,
        max_seconds=max_seconds,
        allow_unknown_price=allow_unknown_price,
    )
    course = Course(
        models=model or (),
        seed=seed,
        driver=driver,
        in_flight=in_flight,
        order=order,
        unsafe_no_sandbox=unsafe_no_sandbox,
        allow_invalid_seed=allow_invalid_seed,
    )
    place = Place(transport, ensemble, name, rounds=rounds, iterations=iterations, take_over=take_over)
    over = layers_given([course.layer(), caps.layer(), place.layer()], file=config, assignments=set_ or ())
    chosen = preset_for(preset, task)
    complete = settings([{"ensemble": {"clock": "wall"}}, *over], preset=chosen)
    output = Output(as_json=as_json, quiet=quiet)
    for line in [] if chosen is None else preset_remarks(chosen, over):
        output.remark(line)
    start_node(task, complete, place, caps.layer(), out=out, approve=approve, output=output)
