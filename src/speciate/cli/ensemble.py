"""``speciate ensemble``: evolves a task on several nodes that exchange champions."""

from __future__ import annotations

from speciate.cli import ensemble_options as own
from speciate.cli import options
from speciate.cli.output import Output


def ensemble(
    task: options.TaskArgument,
    model: own.ModelByNode = None,
    nodes: own.Nodes = None,
    rounds: own.Rounds = None,
    iterations: own.Iterations = None,
    topology: own.Topology = None,
    latency: own.Latency = None,
    clock: own.ClockOption = None,
    preset: options.PresetName = None,
    config: options.ConfigFile = None,
    set_: options.Settings = None,
    seed: options.Seed = None,
    out: options.Out = None,
    candidates: own.Candidates = None,
    evaluations: own.Evaluations = None,
    max_cost: own.MaxCost = None,
    max_tokens: own.MaxTokens = None,
    max_calls: own.MaxCalls = None,
    max_seconds: options.MaxSeconds = None,
    driver: options.DriverOption = None,
    in_flight: options.InFlight = None,
    order: options.OrderOption = None,
    unsafe_no_sandbox: options.Unsafe = False,
    allow_unknown_price: options.AllowUnknownPrice = False,
    allow_invalid_seed: options.AllowInvalidSeed = False,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Evolves a task on several nodes that exchange champions, all in this process.

    Caps on candidates, evaluations, cost, tokens and calls are for the whole ensemble and divided evenly over
    its nodes; wall time passes for all of them at once.

    \b
    speciate ensemble corewar
    speciate ensemble my_task --model openai:gpt-5-mini --model anthropic:claude-haiku-4-5 --max-cost 2
    """
    from speciate.cli.ensemble_seats import Wishes
    from speciate.cli.ensemble_start import start_ensemble
    from speciate.cli.settings import Caps, Course

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
        seed=seed,
        driver=driver,
        in_flight=in_flight,
        order=order,
        unsafe_no_sandbox=unsafe_no_sandbox,
        allow_invalid_seed=allow_invalid_seed,
    )
    wishes = Wishes(
        models=tuple(model or ()),
        nodes=nodes,
        latencies=tuple(latency or ()),
        rounds=rounds,
        iterations=iterations,
        topology=topology,
        clock=None if clock is None else clock.value,
    )
    start_ensemble(
        task,
        wishes,
        [course.layer(), caps.layer()],
        preset=preset,
        file=config,
        assignments=set_ or (),
        out=out,
        output=Output(as_json=as_json, quiet=quiet),
    )
