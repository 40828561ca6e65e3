"""The preset of ALE-Bench against what its paper says (Lange 2025, appendix B.3)."""

from __future__ import annotations

from speciate.engine.settings import compose, load_preset


def test_ale_of_the_paper_field_by_field() -> None:
    preset = load_preset("paper/ale")
    config = compose([preset.settings])
    population = config.population
    assert preset.task == "atcoder"
    assert config.budget.candidates == 50
    assert (population.islands, population.archive.size) == (2, 50)
    assert (population.migration_interval, population.migration_fraction) == (10, 0.1)
    assert (config.bandit.kind, config.bandit.coefficient) == ("ucb", 1.0)
    assert (config.scratchpad.interval, config.scratchpad.recommendations) == (5, 5)
    assert config.novelty.embedding == "off"  # no embedding, no threshold, no judge
    assert config.task.parameters["time_limit"] == 2.0
    assert not preset.keyed
