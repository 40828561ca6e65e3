from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.cli.ensemble_seats import Wishes, divided, seats
from speciate.engine import BudgetConfig, NodeConfig
from speciate.errors import ConfigError
from speciate.tasks import load_task

TASK = load_task("corewar")


def _seated(*models: str, **wishes: object) -> list[NodeConfig]:
    return [NodeConfig.model_validate(seat) for seat in seats(Wishes(models=models, **wishes), (), TASK)]  # type: ignore[arg-type]  # any wish


def test_core_war_without_models_has_four_priors() -> None:
    assert [(node.name, node.model) for node in _seated()] == [
        ("bomber", "redcode:bomber"),
        ("replicator", "redcode:replicator"),
        ("scanner", "redcode:scanner"),
        ("imp_clear", "redcode:imp_clear"),
    ]
    assert [node.name for node in _seated(nodes=2)] == ["bomber", "replicator"]


def test_nodes_are_called_after_their_models() -> None:
    specs = (
        "openai:gpt-5-mini",
        "local:org/qwen-3@http://127.0.0.1:8080/v1",
        "redcode:bomber?stride=4",
        "command:./ask me",
    )
    assert [node.name for node in _seated(*specs)] == ["gpt-5-mini", "qwen-3", "bomber", "ask-me"]


@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=6))
def test_whatever_a_model_is_called_its_node_has_a_name(specs: list[str]) -> None:
    nodes = _seated(*specs)
    assert [node.model for node in nodes] == specs
    assert all(node.name for node in nodes)
    assert len({node.name for node in nodes}) == len(nodes)


def test_a_numbered_name_is_nobody_else_s() -> None:
    assert [node.name for node in _seated("x:a", "x:a-1", "x:a")] == ["a-2", "a-1", "a-3"]


def test_latencies_are_for_all_or_each() -> None:
    assert [node.latency for node in _seated(nodes=2, latencies=(3.0,))] == [3.0, 3.0]
    assert [node.latency for node in _seated(nodes=2, latencies=(3.0, 4.0))] == [3.0, 4.0]


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("inf"), float("nan")])
def test_a_latency_that_is_no_time_is_told_once(seconds: float) -> None:
    with pytest.raises(ConfigError, match=f"^--latency is seconds above 0, not {seconds:g}$"):
        _seated(nodes=3, latencies=(seconds,))


def test_only_caps_that_were_given_are_divided() -> None:
    budget = BudgetConfig(candidates=10, calls=9, cost=1.0, tokens=100)
    assert divided(budget, {"calls", "cost"}, 4) == {"calls": 2, "cost": 0.25}
    assert divided(budget, set(), 4) == {}


@given(st.integers(0, 10_000), st.integers(1, 256))
def test_shares_never_exceed_the_whole(cap: int, nodes: int) -> None:
    if 0 < cap < nodes:
        with pytest.raises(ConfigError, match="too little"):
            divided(BudgetConfig(calls=cap), {"calls"}, nodes)
        return
    share = divided(BudgetConfig(calls=cap), {"calls"}, nodes)["calls"]
    assert isinstance(share, int)
    assert cap - nodes < share * nodes <= cap
