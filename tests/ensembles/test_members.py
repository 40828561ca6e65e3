from __future__ import annotations

from speciate.engine.settings import compose, over_task_defaults
from speciate.ensembles import members_of
from speciate.records import Json
from speciate.tasks import load_task


def test_a_chosen_default_stands_over_the_tasks_own_at_nodes_with_settings_too() -> None:
    task = load_task("corewar")  # whose default is a grid
    nodes: list[Json] = [{"name": "a"}, {"name": "b", "settings": {"population": {"islands": 2}}}]
    chosen = compose(
        [{"population": {"archive": {"kind": "elites"}}, "ensemble": {"rounds": 1, "nodes": nodes}}]
    )
    lived = [over_task_defaults(one.config, task) for one in members_of(over_task_defaults(chosen, task))]
    assert [config.population.archive.kind for config in lived] == ["elites", "elites"]
    assert [config.population.islands for config in lived][1] == 2
