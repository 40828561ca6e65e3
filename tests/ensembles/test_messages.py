"""What nodes send each other: read back whole, and refused with a reason when it is anything else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.ensembles.messages import (
    MOST_ANNOUNCED,
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


def test_a_program_that_nobody_would_take_is_not_sent() -> None:
    parcel = pack(PLAIN, Program.of({"initial.py": "#" * (MOST_SENT + 1)}))
    assert parcel.body == b""
    assert parcel.announcement.files == ()
