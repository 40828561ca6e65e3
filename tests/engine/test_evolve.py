from __future__ import annotations

from pathlib import Path

import pytest
from typing_extensions import override

from speciate.engine import RunConfig, build_run, evolve, resume
from speciate.engine.settings import Layer, compose
from speciate.errors import ConfigError, RunFolderError, ScoreError, TaskError
from speciate.records import Context, Outcome, Program
from speciate.store import DATABASE, MemoryStore, open_reader
from speciate.testing.evaluators import write_task
from speciate.testing.histories import TracingEvaluator, assert_nothing_lost, events_of
from speciate.testing.knobs import INITIAL, knobs_program, knobs_task
from speciate.testing.runs import SmallRuns

TASK = knobs_task()
SCORE = """
    def evaluate(program, context):
        return float(len(program.source))
"""


def test_a_run_without_a_folder_lives_in_memory(runs: SmallRuns) -> None:
    ended = evolve(TASK, runs.settings())
    assert isinstance(ended.store, MemoryStore)
    assert ended.folder is None
    assert ended.best is not None
    assert ended.score == ended.best.outcome.fitness[0] if ended.best.outcome.fitness else None


def test_a_folder_holds_one_run(runs: SmallRuns, tmp_path: Path) -> None:
    evolve(TASK, runs.settings(), folder=tmp_path / "run")
    before = events_of(tmp_path / "run")
    with pytest.raises(RunFolderError, match=r"holds a run already.*speciate resume"):
        evolve(TASK, runs.settings(), folder=tmp_path / "run")
    assert events_of(tmp_path / "run") == before


def test_a_run_that_was_killed_before_it_began_can_be_begun_again(runs: SmallRuns, tmp_path: Path) -> None:
    (tmp_path / DATABASE).touch()
    evolve(TASK, runs.settings(), folder=tmp_path)
    assert events_of(tmp_path)


def test_resuming_a_folder_without_a_run_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="holds no run"):
        resume(tmp_path / "nothing", task=TASK)
    assert not (tmp_path / "nothing").exists()


def test_a_task_built_in_python_has_to_be_given_again(runs: SmallRuns, tmp_path: Path) -> None:
    evolve(TASK, runs.settings(), folder=tmp_path / "run")
    with pytest.raises(TaskError, match=r"resume\(folder, task=…\)"):
        resume(tmp_path / "run")


def test_a_task_whose_scoring_has_changed_is_refused(runs: SmallRuns, tmp_path: Path) -> None:
    evolve(TASK, runs.settings(), folder=tmp_path / "run")
    with pytest.raises(TaskError, match="the task has changed since this run began"):
        resume(tmp_path / "run", task=knobs_task(direction="minimize"))


def test_a_task_folder_is_found_again_from_anywhere(
    runs: SmallRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "task").mkdir()
    files = {"initial.py": INITIAL, "evaluate.py": SCORE}
    write_task(tmp_path / "task", files, initial="initial.py", evaluation={"kind": "trusted"})
    (tmp_path / "task" / "task.toml").write_text(
        'name = "longer"\n[[objectives]]\nname = "length"\n[evaluation]\nkind = "trusted"\n'
    )
    monkeypatch.chdir(tmp_path)
    evolve("./task", runs.settings(), folder=tmp_path / "run")
    monkeypatch.chdir(tmp_path / "run")
    more = resume(tmp_path / "run", overrides=lambda c: _with_candidates(c, 30))
    assert_nothing_lost(events_of(tmp_path / "run"), candidates=30)
    assert more.stop_reason == "candidates"
    (tmp_path / "task" / "evaluate.py").write_text("def evaluate(program, context):\n    return 0.0\n")
    with pytest.raises(TaskError, match="the task has changed"):
        resume(tmp_path / "run")


def _with_candidates(config: RunConfig, candidates: int) -> RunConfig:
    return config.model_copy(update={"budget": config.budget.model_copy(update={"candidates": candidates})})


class Breaking(TracingEvaluator):
    """Breaks, as a task's own score code may, at the eighth program."""

    count = 0

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        self.count += 1
        if self.count == 8:
            raise ScoreError("the scale is broken")
        return await super().evaluate(program, context)


@pytest.mark.parametrize("driver", ["sequential", "pipeline:ordinal", "pipeline:arrival"])
def test_what_breaks_the_set_up_ends_the_run_and_can_be_mended(
    runs: SmallRuns, tmp_path: Path, driver: str
) -> None:
    folder, config = tmp_path / "run", runs.settings("both", driver)
    with pytest.raises(ScoreError, match="the scale is broken"):
        evolve(TASK, config, folder=folder, evaluator=Breaking(TASK, jitter=1))
    reader = open_reader(folder)
    assert [session.stop_reason for session in reader.sessions()] == ["failed"]
    reader.close()
    resume(folder, task=TASK)
    assert_nothing_lost(events_of(folder), candidates=24)


def test_a_second_writer_is_refused_and_harms_nothing(runs: SmallRuns, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    evolve(TASK, runs.settings(), folder=folder)
    refused: list[str] = []

    async def approve(choice: object, proposal: object) -> bool:
        with pytest.raises(RunFolderError, match="another process") as caught:
            resume(folder, task=TASK)
        refused.append(str(caught.value))
        return True

    resume(folder, task=TASK, overrides=lambda c: _with_candidates(c, 27), approve=approve)
    assert refused
    assert_nothing_lost(events_of(folder), candidates=27)


def test_other_models_may_take_over(runs: SmallRuns, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    evolve(TASK, runs.settings("genetic"), folder=folder)
    resume(folder, task=TASK, overrides=lambda c: _with_candidates(runs.settings("model"), 30))
    chosen = {e.ordinal: e.proposer for e in events_of(folder) if e.step == "chosen"}
    assert {chosen[n] for n in range(25, 31)} == {runs.model}


@pytest.mark.parametrize("spec", ["telepathy:me", "scripted:absent.jsonl"])
def test_a_run_that_could_not_begin_does_not_take_the_folder(
    runs: SmallRuns, tmp_path: Path, spec: str
) -> None:
    with pytest.raises(ConfigError, match=spec.partition(":")[2] if "absent" in spec else spec):
        evolve(TASK, RunConfig(models=(spec,)), folder=tmp_path / "run")
    assert evolve(TASK, runs.settings(), folder=tmp_path / "run").stop_reason == "candidates"


def test_a_proposer_named_twice_is_refused(runs: SmallRuns) -> None:
    with pytest.raises(ConfigError, match="'genetic' is named twice"):
        evolve(TASK, RunConfig(models=("genetic", runs.model, "genetic")))


def test_a_candidate_equal_to_an_earlier_one_is_not_scored_again(runs: SmallRuns, tmp_path: Path) -> None:
    log = tmp_path / "log"
    config = runs.settings("model", "sequential", {"novelty": {"fingerprint": False}})
    ended = evolve(TASK, config, evaluator=TracingEvaluator(TASK, log=log))
    scored = log.read_text().splitlines()
    assert len(scored) == len(set(scored))
    assert any(e.step == "evaluated" and e.cached is not None for e in events_of(ended.store))
    assert knobs_program(4.5, -3.25).hash in scored


def test_what_this_machine_decided_is_written_down(tmp_path: Path) -> None:
    evolve(TASK, compose([{"budget": {"candidates": 1}}]), folder=tmp_path / "run")
    manifest = open_reader(tmp_path / "run").manifest()
    settings = RunConfig.model_validate(manifest["config"])
    assert settings.pipeline.in_flight
    assert settings.pipeline.window == 4 * settings.pipeline.in_flight
    assert manifest["changed"] == {"budget": {"candidates": 1}}


def test_each_session_records_its_own_settings(tmp_path: Path) -> None:
    evolve(TASK, compose([{"budget": {"candidates": 1}}]), folder=tmp_path / "run")
    raised: Layer = {"budget": {"candidates": 3}}
    resume(tmp_path / "run", task=TASK, overrides=lambda config: compose([raised], base=config))
    recorded = [session.facts["settings"] for session in open_reader(tmp_path / "run").sessions()]
    budgets = [settings["budget"] for settings in recorded if isinstance(settings, dict)]
    assert budgets == [{"candidates": 1}, {"candidates": 3}]


def test_weights_of_operators_that_nobody_has_are_refused() -> None:
    for kind, name, near in (("model", "ful", "full"), ("genetic", "mutat", "mutate")):
        config = compose([{"mutation": {kind: {name: 1.0}}}])
        with pytest.raises(ConfigError, match=rf"mutation\.{kind}\.{name}.*did you mean '{near}'"):
            build_run(TASK, config, MemoryStore())
