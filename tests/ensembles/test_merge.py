"""The merged archive: one company, one map, the best of each cell."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from speciate.engine import RunConfig
from speciate.ensembles import Memo, common_pool, merge, merge_nodes, read_merged, write_merged
from speciate.errors import RunFolderError
from speciate.evaluators import Evaluator, TrustedEvaluator
from speciate.records import Context, Elite, Merged, NodeElites, Outcome, Program, Result
from speciate.tasks import Task, TaskSpec

OPPONENT = Program.of({"n.txt": "own"})
SPEC = TaskSpec.model_validate(
    {
        "name": "numbers",
        "objectives": [{"name": "value"}],
        "program": {"files": ["n.txt"], "mutable": "whole"},
        "evaluation": {"kind": "trusted", "company": True},
        "descriptors": [{"name": "tens", "edges": [10.0, 20.0, 30.0]}],
    }
)


def _score(program: Program, context: Context) -> Result:
    """The last digit counts, and each opponent takes a point of it."""
    value = float(program.source)
    return Result((value % 10 - len(context.opponents),), descriptor=(value,))


TASK = Task(SPEC, Program.of({"n.txt": "1"}), trusted=_score, context=Context((OPPONENT,)))


def _node(name: str, *values: float | str, champion: float | str | None = None) -> NodeElites:
    elites = [Elite(name, place, Program.of({"n.txt": str(value)})) for place, value in enumerate(values)]
    return NodeElites(name, tuple(elites), None if champion is None else Program.of({"n.txt": str(champion)}))


class Counting(Evaluator):
    """Evaluates, the first asked last, and counts."""

    def __init__(self, task: Task) -> None:
        self.slots, self.asked = 4, list[str]()
        self._inner = TrustedEvaluator(task)

    @override
    async def evaluate(self, program: Program, context: Context) -> Outcome:
        self.asked.append(program.source)
        await asyncio.sleep(0.001 * (10 - len(self.asked)))
        return await self._inner.evaluate(program, context)


def _merged(*nodes: NodeElites, task: Task = TASK, memo: Memo | None = None) -> Merged:
    return asyncio.run(merge(task, nodes, Counting(task), memo=memo))


def test_the_best_of_each_cell_stays_and_scores_are_those_of_the_common_company() -> None:
    merged = _merged(_node("a", 3, 14, champion=14), _node("b", 5, 12, 25, champion=25))
    assert merged.opponents == 3
    assert [(one.cell, one.node, one.score) for one in merged.elites] == [
        ((0,), "b", 5.0 - 3),
        ((1,), "a", 4.0 - 3),
        ((2,), "b", 5.0 - 3),
    ]
    assert merged.nodes["a"] == {(0,): 0.0, (1,): 1.0}
    assert merged.nodes["b"] == {(0,): 2.0, (1,): -1.0, (2,): 2.0}
    assert merged.cells == 4
    assert merged.best is not None
    assert merged.best.cell == (0,)


def test_of_equals_the_earlier_node_holds_the_cell() -> None:
    assert [one.node for one in _merged(_node("a", 3), _node("b", 3)).elites] == ["a"]
    assert [one.node for one in _merged(_node("b", 3), _node("a", 3)).elites] == ["b"]


def test_a_program_of_two_nodes_is_scored_once_and_what_is_known_not_at_all() -> None:
    memo: Memo = {}
    nodes = _node("a", 3, 14), _node("b", 3, 5)
    first = _merged(*nodes, memo=memo)
    again = _merged(*nodes, memo=memo)
    assert (first.evaluations, first.reused) == (3, 1)
    assert (again.evaluations, again.reused) == (0, 4)
    assert again.elites == first.elites


def test_the_pool_holds_the_task_s_own_opponents_and_each_champion_once() -> None:
    nodes = [
        _node("a", champion=3),
        _node("b", champion=3),
        _node("c", champion="own"),
        _node("d", champion=4),
    ]
    pool, out = common_pool(TASK, nodes)
    assert [program.source for program in pool.opponents] == ["own", "3", "4"]
    assert out == ()


def test_champions_without_room_stay_out_and_are_named() -> None:
    pool, out = common_pool(replace(TASK, room=2), [_node("a", champion=3), _node("b", champion=4)])
    assert [program.source for program in pool.opponents] == ["own", "3"]
    assert out == ("b",)


def test_a_task_without_company_keeps_its_own_context() -> None:
    lonely = SPEC.model_copy(update={"evaluation": SPEC.evaluation.model_copy(update={"company": False})})
    pool, _ = common_pool(replace(TASK, spec=lonely), [_node("a", champion=3)])
    assert pool is TASK.context


def test_one_company_can_be_given_for_all_ensembles() -> None:
    merged = asyncio.run(merge(TASK, [_node("a", 3, champion=7)], TrustedEvaluator(TASK), pool=Context()))
    assert (merged.opponents, merged.elites[0].score) == (0, 3.0)


def test_what_has_no_score_in_the_common_company_is_counted() -> None:
    merged = _merged(_node("a", 3, "no number"), _node("b"))
    assert merged.invalid == {"a": 1, "b": 0}
    assert merged.nodes["b"] == {}


def test_without_descriptors_the_best_of_all_is_the_archive() -> None:
    def plain(program: Program, context: Context) -> Result:
        return replace(_score(program, context), descriptor=None)

    task = replace(TASK, spec=SPEC.model_copy(update={"descriptors": ()}), trusted=plain)
    merged = _merged(_node("a", 3, 14), _node("b", 5), task=task)
    assert [(one.cell, one.node) for one in merged.elites] == [((), "b")]
    assert (merged.cells, merged.axes) == (None, ())


def test_what_is_kept_is_read_back_until_the_archives_change(tmp_path: Path) -> None:
    nodes = [_node("a", 3, 14, champion=14), _node("b", 25)]
    merged = merge_nodes(TASK, RunConfig(), nodes)
    first = write_merged(merged, tmp_path).read_bytes()
    assert read_merged(tmp_path, nodes) == merged
    assert read_merged(tmp_path, [nodes[0]]) is None
    assert write_merged(merge_nodes(TASK, RunConfig(), nodes), tmp_path).read_bytes() == first


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    assert read_merged(tmp_path, []) is None
    (tmp_path / "merged.json").write_text("{}")
    with pytest.raises(RunFolderError, match=r"merged\.json is damaged"):
        read_merged(tmp_path, [])
