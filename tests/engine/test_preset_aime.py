"""The preset of AIME against what its paper says (Lange 2025, appendix B.2)."""

from __future__ import annotations

from speciate.engine.settings import compose, load_preset


def test_aime_of_the_paper_field_by_field() -> None:
    preset = load_preset("paper/aime")
    config = compose([preset.settings])
    population, parameters = config.population, config.task.parameters
    assert preset.task == "aime"
    assert config.budget.candidates == 75
    assert config.pipeline.in_flight == 1
    assert (population.islands, population.archive.kind, population.archive.size) == (4, "elites", 40)
    assert (population.migration_interval, population.migration_fraction) == (10, 0.1)
    assert (parameters["calls"], parameters["repeats"], parameters["agent"]) == (10, 3, "base")
    assert (parameters["years"], parameters["heldout"]) == ([], [])  # all of the file, no held-out subset
    assert parameters["model"] == "openai:gpt-4.1-nano"
    assert (config.bandit.kind, config.bandit.arms) == ("uniform", "proposers")  # dynamic selection is null
    assert (config.scratchpad.enabled, config.scratchpad.interval) == (True, 10)
    assert config.scratchpad.recommendations == 5


def test_novelty_is_judged_by_the_paper_s_judge_where_there_is_a_key() -> None:
    (keyed,) = load_preset("paper/aime").keyed
    novelty = compose([keyed.settings]).novelty
    assert (novelty.embedding, novelty.threshold) == ("openai:text-embedding-3-small", 0.95)
    assert novelty.judge == "openai:gpt-4.1"
