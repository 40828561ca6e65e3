"""``speciate contest RUN``: scores a run's best programs on cases that the search never saw."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def contest(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run of a contest.")],
    cases: Annotated[int, typer.Option(help="Private cases of a contest with a generator.", min=1)] = 20,
    oracle: Annotated[
        int, typer.Option(help="Programs, best public score first, that the oracle may pick from.", min=5)
    ] = 20,
    unsafe: Annotated[
        bool, typer.Option("--unsafe-no-sandbox", help="Run programs without a sandbox.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Scores the best programs of a contest's run on private cases; nothing of it is written to the run.

    \b
    speciate contest runs/atcoder-1
    speciate contest runs/atcoder-1 --cases 50 --oracle 100
    """
    import json
    from dataclasses import asdict

    from speciate.problems.atcoder.audit import audit_run, table

    found = audit_run(run, cases=cases, oracle=oracle, unsafe=unsafe)
    typer.echo(json.dumps(asdict(found)) if as_json else table(found))
