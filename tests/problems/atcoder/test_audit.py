import pytest

from speciate.errors import UsageError
from speciate.problems.atcoder.audit import Audit, Audited, private_task, ranked, table
from speciate.records import Direction, Json
from speciate.store import MemoryStore, RunHistory


def audit(direction: Direction) -> Audit:
    top = tuple(Audited(k, 100.0 - k, float(private)) for k, private in enumerate((50, 70, 60, 40, 30), 1))
    return Audit(direction, 9, Audited(0, 10.0, 45.0), top, (Audited(6, 20.0, 90.0), Audited(7, 19.0, None)))


@pytest.mark.parametrize(("direction", "top_5", "oracle"), [("maximize", 70, 90), ("minimize", 30, 30)])
def test_selection_rules_stand_apart(direction: Direction, top_5: float, oracle: float) -> None:
    found = audit(direction)
    assert (found.top_1, found.top_5, found.oracle) == (50, top_5, oracle)


def test_the_table_names_each_rule_and_how_many_the_oracle_saw() -> None:
    rows = table(audit("maximize")).splitlines()
    assert [row[:15].strip() for row in rows[1:4]] == ["initial program", "public top-1", "public top-5"]
    assert "(8 programs)" in rows[4]
    assert rows[4].endswith("90.0")


def test_a_run_of_another_task_and_one_without_scores_are_refused() -> None:
    with pytest.raises(UsageError, match="circle_packing"):
        private_task({"task": {"source": "circle_packing"}, "config": {}}, 3)
    with pytest.raises(UsageError, match="no program"):
        ranked(RunHistory(MemoryStore()), 5)


def test_the_private_task_keeps_the_limits_and_changes_the_cases() -> None:
    spec: Json = {"parameters": {"contest": "ahc025", "cases": 2, "split": "public", "time_limit": 0.3}}
    task = private_task({"task": {"source": "atcoder", "spec": spec}, "config": {}}, 7)
    expected = {"contest": "ahc025", "cases": 7, "split": "private", "time_limit": 0.3}
    assert {name: task.spec.parameters[name] for name in expected} == expected
