"""What `show` shows. Heavy: imported as the command runs."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from speciate.cli.ending import describe, next_commands
from speciate.cli.markdown import terminal_lines
from speciate.cli.output import Output
from speciate.cli.programs import write_program
from speciate.cli.stories import asked_lines, candidate_lines, exchange_lines, exchanges, portrait, prompts_of
from speciate.errors import UsageError
from speciate.records import Ordinal
from speciate.reports import (
    SectionName,
    asking_json,
    asking_lines,
    earlier_round,
    exact,
    notebook_json,
    notebook_lines,
    read_asking,
    read_facts,
    read_notebook,
    read_report,
    scored_in,
    single_json,
    single_section,
    summarise,
)
from speciate.store import Candidate, RunHistory, open_reader


@dataclass(frozen=True, slots=True)
class View:
    """What to show: at most one of the first seven, else the summary.

    Attributes:
        best: the best program.
        candidate: everything about this candidate.
        prompt: what this candidate's model saw and said.
        prompts: the ways in which models were asked and what came of them.
        rollback: the best before this candidate.
        scratchpad: the scratchpad and what it was worth.
        section: one part of the report.
        write: folder for the program shown, or None.
    """

    best: bool = False
    candidate: Ordinal | None = None
    prompt: Ordinal | None = None
    prompts: bool = False
    rollback: Ordinal | None = None
    scratchpad: bool = False
    section: SectionName | None = None
    write: Path | None = None

    def check(self) -> None:
        """Raises UsageError when the parts contradict each other."""
        parts = {
            "--best": self.best,
            "--candidate": self.candidate is not None,
            "--prompt": self.prompt is not None,
            "--prompts": self.prompts,
            "--rollback": self.rollback is not None,
            "--scratchpad": self.scratchpad,
            "--section": self.section is not None,
        }
        given = [name for name, wanted in parts.items() if wanted]
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} exclude each other: ask for one at a time")
        if self.write is not None and not {"--best", "--candidate", "--rollback"}.intersection(given):
            raise UsageError("--write writes a program: name it by --best, --candidate N or --rollback N")


def show_run(folder: Path, view: View, output: Output) -> None:
    """Shows a run or a part of it.

    Raises:
        UsageError: the folder holds no run, or not what is asked for.
        StoreError: the history cannot be read.
    """
    view.check()
    reader = open_reader(folder)
    try:
        _show(RunHistory(reader), folder, view, output)
    finally:
        reader.close()


def _show(history: RunHistory, folder: Path, view: View, output: Output) -> None:
    if view.best:
        _program(history, _best(history), view, output)
    elif view.candidate is not None:
        _candidate(history, known(history, view.candidate), view, output)
    elif view.prompt is not None:
        _prompt(history, known(history, view.prompt), output)
    elif view.rollback is not None:
        _rollback(history, known(history, view.rollback), folder, view, output)
    elif view.prompts:
        asking = read_asking(history, read_facts(history.reader))
        output.say(*asking_lines(asking))
        output.result(asking_json(asking))
    elif view.scratchpad:
        _scratchpad(history, output)
    elif view.section is not None:
        report = read_report(history, folder=folder)
        output.say(*terminal_lines(single_section(report, view.section)))
        output.result(single_json(report, view.section))
    else:
        summary = summarise(history, folder=folder)
        output.say(*describe(summary), "", *next_commands(summary, folder))
        output.result(summary.as_json())


def known(history: RunHistory, ordinal: Ordinal) -> Candidate:
    """Returns a candidate; raises UsageError if the run has none of this number."""
    candidate = history.candidates.get(ordinal)
    if candidate is None:
        last = max(history.candidates, default=None)
        there = "no candidates yet" if last is None else f"candidates 0 to {last}"
        raise UsageError(f"this run has no candidate {ordinal}: it has {there}")
    return candidate


def _best(history: RunHistory) -> Candidate:
    best = history.best()
    if best is None:
        raise UsageError("this run has no valid candidate yet")
    return best


def _program(history: RunHistory, candidate: Candidate, view: View, output: Output) -> None:
    program = history.program(candidate.ordinal)
    path = None if view.write is None else write_program(program, view.write)
    if path is not None:
        output.say(f"written: {path}")
    elif len(program.files) == 1:
        output.say(program.source.rstrip("\n"))
    else:
        for name, text in program.files:
            output.say(f"=== {name}", text.rstrip("\n"))
    output.result({**_identity(history, candidate, path), "files": dict(program.files)})


def _candidate(history: RunHistory, candidate: Candidate, view: View, output: Output) -> None:
    path = None
    if view.write is not None:
        if candidate.program is None:
            raise UsageError(f"candidate {candidate.ordinal} has no program to write: it was rejected")
        path = write_program(history.program(candidate.ordinal), view.write)
    told = portrait(history, candidate)
    output.say(*candidate_lines(told), *([] if path is None else [f"written: {path}"]))
    output.result({**told.as_json(), "source_path": path})


def _prompt(history: RunHistory, candidate: Candidate, output: Output) -> None:
    said, choice = exchanges(history, candidate.ordinal), candidate.choice
    prompts = prompts_of(history, candidate) if said else {}
    if not said and not output.as_json:
        output.say(f"candidate {candidate.ordinal} asked no model: {candidate.choice.proposer} made it")
    if said:
        output.say(*asked_lines(candidate, prompts))
    for exchange in said:
        output.say(*exchange_lines(exchange))
    how = {"operator": choice.operator, "phrasing": choice.phrasing, "wording": choice.wording}
    output.result({"ordinal": candidate.ordinal, **how, "prompts": prompts, "exchanges": said})


def _rollback(history: RunHistory, candidate: Candidate, folder: Path, view: View, output: Output) -> None:
    best = history.best(before=candidate.ordinal)
    if best is None:
        raise UsageError(f"nothing valid was placed before candidate {candidate.ordinal}")
    path = None if view.write is None else write_program(history.program(best.ordinal), view.write)
    identity = _identity(history, best, path)
    score = exact(float(str(identity["score"]))) + scored_in(earlier_round(history, best.ordinal))
    output.say(f"Before candidate {candidate.ordinal} the best was candidate {best.ordinal}, score {score}")
    if path is None:
        run = shlex.quote(str(folder))
        output.say(
            f"Its source: speciate show {run} --candidate {best.ordinal}",
            f"To a file:  speciate show {run} --rollback {candidate.ordinal} --write DIR",
        )
    else:
        output.say(f"written: {path}")
    output.result({"before": candidate.ordinal, **identity})


def _scratchpad(history: RunHistory, output: Output) -> None:
    notebook = read_notebook(history, read_facts(history.reader))
    if notebook is None:
        raise UsageError("this run has no scratchpad: it is kept with --set scratchpad.enabled=true")
    output.say(*notebook_lines(notebook))
    output.result(notebook_json(notebook))


def _identity(history: RunHistory, candidate: Candidate, path: Path | None) -> dict[str, object]:
    score, older = history.score(candidate.ordinal), earlier_round(history, candidate.ordinal)
    outward = None if score is None else read_facts(history.reader).objective.outward(score)
    return {"ordinal": candidate.ordinal, "score": outward, "scored_in": older, "source_path": path}
