from __future__ import annotations

from speciate.records import Choice
from speciate.scratchpad import NoScratchpad


def test_no_scratchpad_adds_nothing_to_a_prompt() -> None:
    choice = Choice(1, epoch=0, seen=1, island=0, operator="full", proposer="m", parents=(0,))
    assert NoScratchpad().notes(choice) == ""
