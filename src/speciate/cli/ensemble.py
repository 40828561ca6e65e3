"""``speciate ensemble``: evolves a task on several nodes that exchange champions."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


class Clock(StrEnum):
    """How the nodes' times go together."""

    VIRTUAL = "virtual"
    WALL = "wall"


def ensemble(
    task: options.TaskArgument,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model", metavar="SPEC", help="Who proposes at a node. Given again: at the next node, one each."
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes",
            metavar="N",
            min=1,
            max=256,
            help="How many nodes (one a model, else 4); models go round.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", metavar="R", min=1, help="Rounds of each node (as the task, else 5)."),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations",
            metavar="T",
            min=1,
            help="Proposals of each node in a round (as the task, else 50).",
        ),
    ] = None,
    topology: Annotated[
        str | None,
        typer.Option(
            "--topology", metavar="KIND", help="Who listens to whom: all, ring, random:K, adaptive:K (all)."
        ),
    ] = None,
    latency: Annotated[
        list[float] | None,
        typer.Option(
            "--latency",
            metavar="S",
            help="Declared seconds of a proposal, on the virtual clock (1). Given once a node: each its own.",
        ),
    ] = None,
    clock: Annotated[
        Clock | None,
        typer.Option(
            "--clock", help="Declared times, and equal seeds give equal histories; or real time (virtual)."
        ),
    ] = None,
    preset: options.PresetName = None,
    config: options.ConfigFile = None,
    set_: options.Settings = None,
    seed: options.Seed = None,
    out: options.Out = None,
    candidates: Annotated[
        int | None,
        typer.Option(
            "--candidates", metavar="N", help="Stop after so many candidates, divided evenly over the nodes."
        ),
    ] = None,
    evaluations: Annotated[
        int | None,
        typer.Option("--evaluations", metavar="N", help="Stop after so many evaluations, divided likewise."),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost", metavar="USD", help="Never spend more dollars on models, divided likewise."
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", metavar="N", help="Never use more tokens of models, divided likewise."),
    ] = None,
    max_calls: Annotated[
        int | None,
        typer.Option("--max-calls", metavar="N", help="Never call models more often, divided likewise."),
    ] = None,
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
