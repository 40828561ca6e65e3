"""The preset of DEI against what its paper says (arXiv 2605.27130)."""

from __future__ import annotations

from speciate.engine import RunConfig
from speciate.engine.settings import compose, load_preset


def test_the_ensemble_of_the_paper_field_by_field() -> None:
    preset = load_preset("paper/dei")
    config = compose([preset.settings])
    rules = config.ensemble
    assert preset.task == "corewar"
    assert rules.iterations == 250 // 4  # each of four nodes has its share of a node's alone
    assert rules.initial == 0  # A_i begins empty: all calls are those of the rounds
    assert (rules.archives, rules.seeding, rules.skip) == ("persistent", "empty", None)
    assert rules.rescore is False  # its archive is updated by the evaluations of candidates alone
    assert rules.opponents.champions < rules.opponents.max  # O_i: the initial ones and the last champions
    assert rules.topology.kind == "all"
    assert (rules.sharing.rounds, rules.sharing.only) == ("same", "all")
    assert (rules.sharing.most, rules.sharing.bytes) == (None, None)
    assert config.mutation.model == {"new": 0.1, "full": 0.9}
    assert {name: weight for name, weight in config.mutation.own.items() if weight} == {
        "new": 0.1,
        "mutate": 0.9,
    }
    assert (config.selection.policy, config.inspirations.random, config.inspirations.top) == ("uniform", 0, 0)
    assert (config.population.archive.kind, config.population.islands) == ("grid", 1)
    assert config.task.parameters["axes"] == ["tsp", "mc"]
    assert config.task.parameters["opponents"] == "initial"
    assert RunConfig().ensemble.rescore is True  # by itself the engine scores again


def test_what_the_paper_leaves_open_is_as_in_digital_red_queen() -> None:
    dei, drq = (compose([load_preset(name).settings]) for name in ("paper/dei", "paper/drq"))
    assert dei.ensemble.rounds == drq.ensemble.rounds
    assert dei.ensemble.opponents == drq.ensemble.opponents
    for name in ("preset", "protocol", "rounds"):
        assert dei.task.parameters[name] == drq.task.parameters[name]
    assert dei.budget.candidates == dei.ensemble.rounds * dei.ensemble.iterations
