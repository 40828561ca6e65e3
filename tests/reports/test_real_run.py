"""Reports of runs made by the real engine."""

from pathlib import Path

from speciate.engine import RunConfig, evolve
from speciate.records import Context, Program, Result
from speciate.reports import read_facts, summarise, write_report
from speciate.store import RunHistory, open_reader
from speciate.tasks import task_from_functions

INITIAL = "# EVOLVE-BLOCK-START\ndef f():\n    return 1.0 + 2.0\n# EVOLVE-BLOCK-END\n"


def shortest(program: Program, context: Context) -> Result:
    return Result((-float(len(program.source)),), public={"lines": program.source.count("\n")})


def test_a_run_of_the_engine_is_summed_up_and_reported(tmp_path: Path) -> None:
    task = task_from_functions(name="short", initial=INITIAL, score=shortest)
    config = RunConfig.model_validate({"seed": 5, "budget": {"candidates": 20}})
    evolution = evolve(task, config, folder=tmp_path)
    reader = open_reader(tmp_path)
    summary = summarise(RunHistory(reader), folder=tmp_path)
    assert summary.status == "finished"
    assert (summary.task, summary.seed, summary.stop_reason) == ("short", 5, "candidates")
    assert summary.counts.proposed == 20
    assert summary.waiting == 0
    assert summary.best is not None
    assert summary.best.score == evolution.score
    assert read_facts(reader).changed == {"seed": 5, "budget": {"candidates": 20}}
    reader.close()
    page = write_report(tmp_path)[0].read_text()
    assert "| `budget.candidates` | 20 |" in page
