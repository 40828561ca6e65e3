from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.errors import ConfigError
from speciate.problems.corewar.generators import (
    MINDS,
    STRATEGIES,
    ExtraPrior,
    Priors,
    Strategy,
    generate,
    mind,
    shortest,
)
from speciate.problems.corewar.generators.generate import PLAIN
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.scoring import battle
from speciate.problems.corewar.settings import PRESETS, Settings
from speciate.problems.corewar.warrior import Warrior
from speciate.problems.corewar.warriors import load_builtin
from speciate.seeds import stream

DRQ = PRESETS["drq"]
SEEDS = st.integers(min_value=0, max_value=1 << 60)
PLAINLY = ExtraPrior(boot=0, quickscan=0, decoys=0)
"""Without anything around the warrior."""


@st.composite
def rules(draw: st.DrawFn) -> Settings:
    """Any core, and any length that fits it and holds every family."""
    size = draw(st.integers(min_value=5, max_value=1 << 16))
    length = draw(st.integers(min_value=5, max_value=min(size, 200)))
    return Settings(core_size=size, max_length=length, min_distance=1)


def drawn(
    family: Strategy, count: int, settings: Settings = DRQ, extras: ExtraPrior = PLAINLY
) -> list[Warrior]:
    priors = Priors(extras=extras)
    sources = (
        generate(stream(number, 0, "test"), settings, priors, family=family) for number in range(count)
    )
    return [assemble(source, settings) for source in sources]


@given(seed=SEEDS, preset=st.sampled_from(sorted(PRESETS)), name=st.sampled_from(sorted(MINDS)))
def test_all_that_is_generated_assembles_and_fits(seed: int, preset: str, name: str) -> None:
    settings = PRESETS[preset]
    warrior = assemble(generate(np.random.default_rng(seed), settings, mind(name)), settings)
    assert 1 <= len(warrior) <= settings.max_length
    assert warrior.notes == ()


@given(seed=SEEDS, settings=rules(), family=st.sampled_from(STRATEGIES))
def test_every_family_can_be_written_for_any_core(seed: int, settings: Settings, family: Strategy) -> None:
    extras = ExtraPrior(boot=0.5, quickscan=0.5, decoys=0.5)
    source = generate(np.random.default_rng(seed), settings, Priors(extras=extras), family=family)
    assert f";strategy family: {family}\n" in source
    assert len(assemble(source, settings)) <= settings.max_length


@given(seed=SEEDS, name=st.sampled_from(sorted(MINDS)))
def test_equal_chance_gives_equal_text(seed: int, name: str) -> None:
    one, two = (generate(np.random.default_rng(seed), DRQ, mind(name)) for _ in range(2))
    assert one == two


def test_families_come_as_often_as_they_weigh() -> None:
    rng, priors = stream(1, 0, "test"), Priors(families={"clear": 3.0, "gate": 1.0})
    sources = [generate(rng, DRQ, priors) for _ in range(400)]
    clears = sum("family: clear" in source for source in sources)
    assert 265 <= clears <= 335


@pytest.mark.parametrize("family", STRATEGIES)
def test_a_family_is_varied(family: Strategy) -> None:
    codes = Counter((warrior.code, warrior.start) for warrior in drawn(family, 100))
    assert len(codes) >= (10 if family == "gate" else 30)


@pytest.mark.parametrize("family", PLAIN)
def test_each_way_to_write_a_family_keeps_within_its_word(family: Strategy) -> None:
    """None is longer than the shortest room it is offered."""
    for room in range(shortest(family), 24):
        settings = DRQ.but(max_length=room)
        assert all(len(warrior) <= room for warrior in drawn(family, 15, settings))


def test_a_family_that_is_too_long_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="family vampire needs 5 instructions; max_length allows 4"):
        generate(stream(0, 0, "test"), DRQ.but(max_length=4), family="vampire")


def test_families_that_are_too_long_are_not_drawn() -> None:
    settings, rng = DRQ.but(max_length=2), stream(0, 0, "test")
    seen = {assemble(generate(rng, settings), settings).strategy[0] for _ in range(60)}
    assert seen == {"family: imp", "family: gate", "family: random"}


def test_it_is_an_error_if_nothing_fits() -> None:
    with pytest.raises(ConfigError, match="no warrior of clear, scanner fits into max_length 2"):
        generate(
            stream(0, 0, "test"), DRQ.but(max_length=2), Priors(families={"clear": 1, "scanner": 1, "imp": 0})
        )


def test_an_unknown_family_or_mind_is_an_error() -> None:
    with pytest.raises(ConfigError, match="did you mean 'bomber'"):
        generate(stream(0, 0, "test"), DRQ, family="bombers")  # type: ignore[arg-type]  # what a user may type
    with pytest.raises(ConfigError, match="did you mean 'replicator'"):
        mind("replicators")


@pytest.mark.parametrize("family", [family for family in STRATEGIES if family not in ("random", "hybrid")])
def test_planned_warriors_live_in_an_empty_core(family: Strategy) -> None:
    short = DRQ.but(cycles=8000)
    lives = [battle([warrior], short).counts.alive.item() for warrior in drawn(family, 30)]
    assert sum(lives) == 30


@pytest.mark.parametrize("extra", ["boot", "quickscan", "decoys"])
def test_a_warrior_lives_with_anything_around_it(extra: str) -> None:
    extras = PLAINLY.model_copy(update={extra: 1.0})
    short = DRQ.but(cycles=8000)
    for family in ("bomber", "clear", "replicator", "hybrid"):
        plain, dressed = drawn(family, 20), drawn(family, 20, extras=extras)
        assert all(len(b) > len(a) for a, b in zip(plain, dressed, strict=True))
        lives = [battle([warrior], short).counts.alive.item() for warrior in dressed]
        assert sum(lives) >= 18


def full(warrior: Warrior, other: Warrior | None = None) -> tuple[int, int]:
    """Returns how many cells a warrior writes, and how many processes it starts."""
    company = [warrior, other] if other else [warrior]
    counts = battle(company, DRQ, [[0, 4000][: len(company)]], statistics="full").counts
    return counts.written[0, 0, 0], counts.spawned[0, 0, 0]


def test_generated_clears_cover_the_core() -> None:
    assert min(full(warrior)[0] for warrior in drawn("clear", 20)) > 0.95 * DRQ.core_size


def test_generated_replicators_multiply() -> None:
    spawned = sorted(full(warrior)[1] for warrior in drawn("replicator", 20))
    assert spawned[5] > 1000


def test_generated_bombers_spare_themselves_and_hit_much() -> None:
    assert min(full(warrior)[0] for warrior in drawn("bomber", 20)) >= DRQ.core_size // 32


def test_generated_scanners_write_only_when_they_have_seen_something() -> None:
    scanners = [warrior for warrior in drawn("scanner", 40) if len(warrior) == 4]
    assert len(scanners) >= 5
    assert {full(scanner)[0] for scanner in scanners} == {1}
    (strawmen,) = (w.assemble(DRQ) for w in load_builtin("heldout") if "strawmen" in w.path)
    assert max(full(scanner, strawmen)[0] for scanner in scanners) > 10


def test_generated_rings_ride_through_the_whole_core() -> None:
    priors = Priors(extras=PLAINLY, points={7: 1.0})
    rings = [
        assemble(generate(stream(number, 0, "ring"), DRQ, priors, family="imp"), DRQ) for number in range(30)
    ]
    launchers = [ring for ring in rings if len(ring) > 2]
    assert len(launchers) >= 5
    for ring in launchers:
        counts = battle([ring], DRQ, statistics="full").counts
        assert counts.spawned.item() == 7
        assert counts.covered.item() == DRQ.core_size


def test_generated_vampires_catch_a_duck() -> None:
    duck = assemble(";assert 1\n" + "nop.b $1, #3\n" * 19 + "jmp.b $-19, #3\n", DRQ)
    caught = 0
    for warrior in drawn("vampire", 20):
        counts = battle([warrior, duck], DRQ, [[0, 4000]], statistics="full").counts
        caught += int(counts.written[0, 0, 1] > 0 or counts.spawned[0, 0, 1] > 0)
    assert caught >= 15


def test_uniform_code_uses_all_of_the_language() -> None:
    rng = stream(0, 0, "test")
    code = [cell for _ in range(60) for cell in assemble(generate(rng, DRQ, mind("uniform")), DRQ).code]
    assert len({cell.opcode for cell in code}) == 17
    assert len({(cell.modifier, cell.a_mode, cell.b_mode) for cell in code}) > 300
    assert math.isclose(np.mean([cell.a for cell in code]), DRQ.core_size / 2, rel_tol=0.1)
