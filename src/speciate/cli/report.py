"""``speciate report``: a run in one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from speciate.cli import options
from speciate.cli.output import Output


def report(
    run: options.RunArgument,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the report goes (RUN/report).")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Writes a report of a run: a page in Markdown with curve, lineage and archive as pictures.

    \b
    speciate report runs/circle_packing-1
    """
    from speciate.reports import make_report, report_json

    output = Output(as_json=as_json)
    written = make_report(run, out)
    output.say(*(str(path) for path in written.files))
    if len(written.files) == 1:
        output.remark("Without pictures; the page says why")
    if as_json:
        output.result({**report_json(written.report), "files": written.files})
