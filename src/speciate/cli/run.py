"""``speciate run``: evolves a task."""

from __future__ import annotations

from speciate.cli import options
from speciate.cli.output import Output


def run(
    task: options.TaskArgument,
    model: options.Models = None,
    preset: options.PresetName = None,
    config: options.ConfigFile = None,
    set_: options.Settings = None,
    seed: options.Seed = None,
    out: options.Out = None,
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
    """Evolves a task in a new run; without a model, by whoever the task names (as a rule `genetic`).

    \b
    speciate run circle_packing --preset demo
    speciate run my_task --model openai:gpt-5-mini --model genetic --max-cost 2
    """
    from speciate.cli.folders import check_out
    from speciate.cli.keyed import preset_remarks
    from speciate.cli.settings import Caps, Course, layers_given, preset_for, settings
    from speciate.cli.start import start

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
    over = layers_given([course.layer(), caps.layer()], file=config, assignments=set_ or ())
    chosen = preset_for(preset, task)
    complete = settings(over, preset=chosen)
    output = Output(as_json=as_json, quiet=quiet)
    for line in [] if chosen is None else preset_remarks(chosen, over):
        output.remark(line)
    start(task, complete, out=out, approve=approve, output=output)
