from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from speciate.errors import UsageError
from speciate.problems.corewar import Settings, assemble, run_state, trace
from speciate.problems.corewar.mars import Rules, Stepper, engines, pack, run, state
from speciate.testing.battles import random_rules, random_warrior

SMALL = Settings(core_size=80, max_length=20, min_distance=10, cycles=100, processes=8)
IMP = assemble("mov 0, 1", SMALL)
DWARF = assemble("add #4, 3\nmov 2, @2\njmp -2\ndat #0, #0", SMALL)


def test_an_event_tells_what_an_instruction_touched() -> None:
    imp, dwarf, *_ = trace([IMP, DWARF], SMALL, [0, 40])
    assert (imp.warrior, imp.cycle, imp.at, imp.processes) == (0, 0, 0, 1)
    assert (imp.read, imp.written, imp.queued) == ((0, 1), (1,), (1,))
    assert (dwarf.warrior, dwarf.at, dwarf.read, dwarf.written) == (1, 40, (43,), (43,))
    assert dwarf.instruction.text() == "ADD.AB #4,$3"


def test_a_trace_ends_with_the_round() -> None:
    doomed = assemble("nop 0\ndat 0, 0", SMALL)
    events = list(trace([doomed, IMP], SMALL, [0, 40]))
    assert [(event.warrior, event.processes) for event in events] == [(0, 1), (1, 1), (0, 0)]
    assert len(list(trace([IMP], SMALL, [0]))) == 100
    assert len(list(trace([IMP], SMALL, [0], 7))) == 7


def test_cells_belong_to_whom_wrote_them_last() -> None:
    owners = run_state([IMP, DWARF], SMALL, [0, 40], 10, traced=True).owners
    assert owners[:6] == (0, 0, 0, 0, 0, 0)
    assert owners[40:44] == (1, 1, 1, 1)
    assert owners[47] == 1
    assert set(owners[6:40]) == {-1}
    assert run_state([IMP], SMALL, [0], 1).owners == ()


@pytest.mark.parametrize("seed", range(10))
def test_a_battle_is_watched_in_leaps_as_it_is_instruction_by_instruction(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    warriors = [random_warrior(rng, rules.core_size, 5) for _ in range(2)]
    one, other = (Stepper(warriors, [0, 6], rules, traced=True) for _ in range(2))
    owners = list(one.glance().owners)
    for leap in (0, 1, 7, 60):
        events = list(one.events(leap))
        assert other.advance(leap) == len(events)
        for event in events:
            for address in event.written:
                owners[address] = event.warrior
        assert one.glance() == other.glance()
        assert one.glance().owners == tuple(owners)


@pytest.mark.parametrize("seed", range(10))
def test_rounds_are_watched_as_they_are_fought(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    warriors = [random_warrior(rng, rules.core_size, 4) for _ in range(3)]
    places = [rng.integers(rules.core_size, size=3).tolist() for _ in range(4)]
    fought = run(pack(warriors, [[0, 1, 2]], [places], rules), rules, engine="python")
    stepper = Stepper(warriors, places[0], rules, later=places[1:], traced=True)
    for number in range(4):
        assert stepper.round == number
        stepper.advance_to(rules.cycles)
        died = stepper.glance().died
        assert [each is None for each in died] == fought.alive[0, number].astype(bool).tolist()
        assert all(each in (None, life) for each, life in zip(died, fought.lifetime[0, number], strict=True))
        if number < 3:
            stepper.next_round()
    with pytest.raises(ValueError, match="no more than 4 rounds"):
        stepper.next_round()


def test_a_new_round_begins_with_the_code_in_its_new_places() -> None:
    stepper = Stepper([IMP, DWARF], [0, 40], Rules.of(SMALL), later=[[20, 60]], traced=True)
    stepper.advance(50)
    stepper.next_round()
    owners = stepper.glance().owners
    assert [at for at, owner in enumerate(owners) if owner >= 0] == [20, 60, 61, 62, 63]


def test_a_glance_shows_processes_in_their_turn_and_who_died_when() -> None:
    splitter = assemble("spl 2\nnop 0\ndat 0, 0", SMALL)
    stepper = Stepper([splitter, IMP], [0, 40], Rules.of(SMALL), traced=True)
    stepper.advance(2)
    assert stepper.glance().processes == ((1, 2), (41,))
    assert (stepper.glance().cycle, stepper.glance().died) == (1, (None, None))
    stepper.advance(1000)
    assert stepper.glance().processes[0] == ()
    assert stepper.glance().died == (3, None)
    assert stepper.over


def test_only_a_traced_battle_can_be_watched() -> None:
    with pytest.raises(ValueError, match="traced"):
        Stepper([IMP], [0], Rules.of(SMALL)).glance()


@pytest.mark.parametrize("seed", range(10))
def test_a_trace_counts_what_the_engine_counts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    warriors = [random_warrior(rng, rules.core_size, 5) for _ in range(2)]
    batch = pack(warriors, [[0, 1]], [[[0, 6]]], rules)
    counts = run(batch, rules, engine="python")
    events = list(Stepper(warriors, [0, 6], rules, traced=True).events(rules.cycles * 2))
    for seat in range(2):
        mine = [event for event in events if event.warrior == seat]
        assert len({at for event in mine for at in event.queued}) == counts.covered[0, 0, seat]
        assert len({at for event in mine for at in event.written}) == counts.written[0, 0, seat]
        if counts.alive[0, 0, seat]:
            continue
        assert Counter(event.processes == 0 for event in mine)[True] == 1
        assert len(mine) - 1 == counts.lifetime[0, 0, seat]


@pytest.mark.parametrize("limit", [80, 20])
def test_the_compiled_kernel_stops_where_the_interpreted_one_does(limit: int) -> None:
    rules = Rules.of(SMALL.but(read_limit=limit))
    kernel = engines.compiled_kernel(state.law(rules))
    for steps in (0, 1, 5, 63, 500):
        one, other = (
            Stepper([IMP, DWARF], [0, 40], rules),
            Stepper([IMP, DWARF], [0, 40], rules, kernel=kernel),
        )
        assert one.advance(steps) == other.advance(steps)
        assert one.state() == other.state()
        assert one.over == other.over


def test_a_battle_that_is_not_traced_has_no_events() -> None:
    with pytest.raises(ValueError, match="traced"):
        next(Stepper([IMP], [0], Rules.of(SMALL)).events(1))


def test_states_are_asked_for_in_words_that_make_sense() -> None:
    with pytest.raises(UsageError, match="after is -1"):
        run_state([IMP], SMALL, [0], -1)
    with pytest.raises(UsageError, match="one round of positions"):
        run_state([IMP], SMALL, [[0], [1]], 1)
    with pytest.raises(UsageError, match="1 positions for 2 warriors"):
        run_state([IMP, IMP], SMALL, [0], 1)
