from __future__ import annotations

from dataclasses import replace

import pytest

from speciate.errors import UsageError
from speciate.problems.corewar import Settings, assemble, generality, tournament

SMALL = Settings(core_size=200, max_length=20, min_distance=20, cycles=400, processes=20)
WAIT = replace(assemble("jmp 0", SMALL), name="wait")
SOON = assemble("dat 0, 0", SMALL)
LATE = replace(assemble("nop 0\ndat 0, 0", SMALL), name="late")


def test_everybody_meets_everybody() -> None:
    result = tournament([SOON, WAIT, LATE, WAIT], SMALL, rounds=2)
    rows = [(row.warrior, row.wins, row.ties, row.losses, row.points) for row in result.standings]
    assert rows == [(1, 4, 2, 0, 14), (3, 4, 2, 0, 14), (2, 2, 0, 4, 6), (0, 0, 0, 6, 0)]


def test_a_melee_is_one_battle() -> None:
    result = tournament([SOON, WAIT, WAIT], SMALL, rounds=2, meeting="melee")
    rows = [(row.warrior, row.wins, row.ties, row.losses, row.points) for row in result.standings]
    assert rows == [(1, 0, 2, 0, 8), (2, 0, 2, 0, 8), (0, 0, 0, 2, 0)]


def test_the_table_has_a_line_for_each_and_names_the_nameless() -> None:
    lines = tournament([SOON, WAIT], SMALL).table().splitlines()
    assert lines[0].split() == ["warrior", "won", "tied", "lost", "points"]
    assert lines[1].split() == ["1", "wait", "1", "0", "0", "3"]
    assert lines[2].split() == ["2", "warrior", "0", "0", "0", "1", "0"]


def test_generality_is_the_share_beaten_or_tied() -> None:
    found = generality(LATE, [SOON, WAIT, LATE], SMALL, rounds=4)
    assert [(record.wins, record.ties, record.losses) for record in found.against] == [
        (4, 0, 0),
        (0, 0, 4),
        (2, 0, 2),
    ]
    assert found.share == pytest.approx(2 / 3)


def test_threads_and_order_of_opponents_change_nothing_about_who_is_beaten() -> None:
    one = generality(WAIT, [SOON, WAIT, LATE] * 5, SMALL, rounds=2)
    two = generality(WAIT, [SOON, WAIT, LATE] * 5, SMALL, rounds=2, threads=2)
    assert one == two


def misspelt() -> None:
    tournament([WAIT, WAIT], SMALL, meeting="pair")  # type: ignore[arg-type]  # a typo of the user's


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tournament([WAIT], SMALL), "at least two"),
        (lambda: tournament([], SMALL), "at least one"),
        (lambda: tournament([WAIT, WAIT], SMALL, rounds=0), "rounds is 0"),
        (misspelt, "did you mean 'pairs'"),
        (lambda: tournament([WAIT] * 65, SMALL, meeting="melee"), "at most 64"),
        (lambda: generality(WAIT, [], SMALL), "at least one opponent"),
        (lambda: generality(WAIT, [WAIT]), "assemble it with these settings"),
    ],
)
def test_what_cannot_be_held_is_refused(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(UsageError, match=message):
        call()
