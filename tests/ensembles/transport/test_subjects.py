from __future__ import annotations

from speciate.ensembles.transport import subjects
from speciate.records import MessageId


def test_a_sender_is_read_back_from_its_subject() -> None:
    assert (
        subjects.sender_of(subjects.announcement("mars", MessageId("first.of-two_", "1f", 3)))
        == "first.of-two_"
    )


def test_a_made_up_sender_brings_nothing_onto_a_terminal_and_is_nobody_s_name() -> None:
    assert subjects.sender_of("speciate.mars.announce.\x1b[31mfirst.1f.3") == "??31mfirst"
    assert subjects.sender_of("speciate.mars") == ""
