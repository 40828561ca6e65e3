"""``speciate transfer``: measures agents of the problem `aime`."""

from __future__ import annotations

from typing import Annotated

import typer


def transfer(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", help="base, majority, review, or a Python file; all three if none."),
    ] = None,
    models: Annotated[
        list[str] | None, typer.Option("--model", help="Whom the agents ask; may be repeated.")
    ] = None,
    years: Annotated[
        list[int] | None,
        typer.Option("--year", help="Years; the first one is for the comparison of models. All if none."),
    ] = None,
    problems: Annotated[
        str, typer.Option(help="JSON lines with problem, answer and year, or dataset:OWNER/NAME.")
    ] = "",
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each problem.")] = 3,
    max_calls: Annotated[int | None, typer.Option(help="Cap on model calls, all together.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="Cap on dollars, all together.")] = None,
    slots: Annotated[
        int | None, typer.Option(min=1, help="Problems that are asked about at once; one a core.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
    unsafe_no_sandbox: Annotated[
        bool, typer.Option("--unsafe-no-sandbox", help="Run agents without a sandbox.")
    ] = False,
) -> None:
    """Measures agents for contest mathematics across years and models.

    \b
    speciate transfer
    speciate transfer base runs/aime-1/best/initial.py --problems aime.jsonl --year 2024 --year 2025
    speciate transfer majority --model simulated:pupil --model simulated:professor --year 1
    """
    from speciate.evaluators import EvaluationConfig
    from speciate.llm import Ledger, LLMConfig
    from speciate.problems.aime.command.run import run_transfer
    from speciate.problems.aime.transfer import Measuring

    how = Measuring(
        parameters={"problems": problems, "repeats": repeats},
        evaluation=EvaluationConfig(slots=slots, unsafe_no_sandbox=unsafe_no_sandbox),
        llm=LLMConfig(),
        ledger=Ledger(max_cost=max_cost, max_calls=max_calls),
    )
    run_transfer(agents or (), models or (), years or (), how, as_json=as_json)
