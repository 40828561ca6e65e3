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
    """Writes a report of a run or an ensemble: a page in Markdown with pictures of what came of it.

    \b
    speciate report runs/circle_packing-1
    """
    from speciate.cli.ensemble_ending import report_ensemble
    from speciate.ensembles import is_ensemble
    from speciate.reports import make_report, report_json

    output = Output(as_json=as_json)
    if is_ensemble(run):
        report_ensemble(run, out, output)
        return
    written = make_report(run, out)
    output.say(*(str(path) for path in written.files))
    if len(written.files) == 1:
        output.remark("Without pictures; the page says why")
    if as_json:
        output.result({**report_json(written.report), "files": written.files})
