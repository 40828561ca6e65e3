"""What nodes send each other: read back whole, and refused with a reason when it is anything else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.ensembles.messages import (
    LONGEST_REASON,
    MOST_ANNOUNCED,
    MOST_CELLS,
    MOST_SENT,
    Announcement,
    MessageError,
    encode,
    pack,
    read_announcement,
    read_body,
)
from speciate.records import Program

PLAIN = Announcement(ensemble="e", task="t", node="a", incarnation="i", round=0)
PROGRAM = Program.of({"initial.py": "x = 1\n"})


def head(**changes: object) -> bytes:
    return json.dumps({**json.loads(pack(PLAIN, PROGRAM).head), **changes}).encode()


@given(st.dictionaries(st.text(min_size=1, max_size=8), st.text(max_size=40), min_size=1, max_size=3))
def test_a_parcel_is_read_back(files: dict[str, str]) -> None:
    program = Program.of(files)
    parcel = pack(PLAIN, program)
    announcement = read_announcement(parcel.head)
    assert announcement == parcel.announcement
    assert announcement.size == len(parcel.body)
    assert read_body(parcel.body, announcement) == program


@given(st.binary(max_size=200))
def test_rubbish_is_refused(data: bytes) -> None:
    with pytest.raises(MessageError):
        read_announcement(data)


@given(st.dictionaries(st.text(max_size=200), st.text(max_size=200), min_size=1, max_size=20))
def test_a_reason_is_one_short_line_of_our_own(entries: dict[str, str]) -> None:
    with pytest.raises(MessageError) as refused:
        read_announcement(json.dumps(entries).encode())
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) <= LONGEST_REASON


def test_a_reason_names_what_is_missing() -> None:
    with pytest.raises(MessageError) as refused:
        read_announcement(b'{"ensemble": "e", "task": "t", "node": "a", "incarnation": "i"}')
    assert str(refused.value) == "no announcement: 'round' is missing"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (head(version=2), "version"),
        (head(extra=1), "malformed"),
        (head(node="../../etc"), "malformed"),
        (head(fitness=float("nan")), "malformed"),
        (head(round=-1), "malformed"),
        (b"[" * 5000, "malformed"),
        (b" " * (MOST_ANNOUNCED + 1), "too_large"),
    ],
)
def test_what_is_no_announcement_is_refused_with_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(MessageError) as refused:
        read_announcement(data)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (encode(Program.of({"initial.py": "x = 2\n"})), "malformed"),
        (encode(Program.of({"initial.py": "x = 1\n", "more.py": ""})), "malformed"),
        (encode(Program.of({"other.py": "x = 1\n"})), "malformed"),
        (b"", "malformed"),
        (b'{"initial.py": 1}', "malformed"),
        (b" " * (MOST_SENT + 1), "too_large"),
    ],
)
def test_another_program_than_was_announced_is_refused(body: bytes, reason: str) -> None:
    with pytest.raises(MessageError) as refused:
        read_body(body, pack(PLAIN, PROGRAM).announcement)
    assert refused.value.reason == reason


def test_no_reason_brings_the_signs_of_a_stranger_onto_a_terminal() -> None:
    with pytest.raises(MessageError) as refused:
        read_announcement(json.dumps({"\x1b[2J\x07key": 1}).encode())
    assert str(refused.value).isprintable()


def test_a_program_that_nobody_would_take_is_not_sent() -> None:
    parcel = pack(PLAIN, Program.of({"initial.py": "#" * (MOST_SENT + 1)}))
    assert parcel.body == b""
    assert parcel.announcement.files == ()


def test_a_message_of_before_there_were_maps_is_read_and_its_cells_are_unknown() -> None:
    filled = PLAIN.model_copy(update={"cell": (1,), "cells": ((0,), (1,)), "map": "m"})
    told = json.loads(pack(filled, PROGRAM).head)
    new = read_announcement(json.dumps(told).encode())
    assert (new.cell_on("m"), new.cells_on("m")) == ((1,), ((0,), (1,)))
    assert (new.cell_on("other"), new.cells_on("other")) == (None, None)
    del told["map"]
    old = read_announcement(json.dumps(told).encode())
    assert (old.map, old.cell_on("m"), old.cells_on("m")) == ("", None, None)
    assert (old.cell_on(""), old.cells_on("")) == (None, None)


@pytest.mark.parametrize("cell", [None, (1,)])
def test_cells_that_are_too_many_to_be_named_are_unknown_and_not_none(cell: tuple[int] | None) -> None:
    cells = tuple((number,) for number in range(MOST_CELLS + 1))
    crowded = PLAIN.model_copy(update={"cell": cell, "cells": cells, "map": "m"})
    told = read_announcement(pack(crowded, PROGRAM).head)
    assert (told.cells, told.cells_on("m"), told.cell_on("m")) == ((), None, cell)
