"""``speciate doctor``: is this host able, is this run true?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


def doctor(
    run: Annotated[
        Path | None,
        typer.Argument(metavar="[RUN]", help="A run or an ensemble to examine; without one, this host."),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Examines this host, or decides a recorded run again and compares. Leaves with 1 if something is wrong.

    A run is only read: it may lie where nobody can write, and may still be going on.

    \b
    speciate doctor
    speciate doctor runs/circle_packing-1
    """
    output = Output(as_json=as_json)
    if run is None:
        from speciate.cli.host import examine_host

        examine_host(output)
        return
    from speciate.cli.audit import examine_nodes, examine_run
    from speciate.ensembles import is_ensemble

    if is_ensemble(run):
        examine_nodes(run, output)
    else:
        examine_run(run, output)
