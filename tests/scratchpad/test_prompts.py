from __future__ import annotations

from typing import get_args

import pytest

from speciate.records import NoteKind
from speciate.scratchpad import load_prompt, scratchpad_identities


@pytest.mark.parametrize("kind", get_args(NoteKind))
def test_every_question_ships_and_leaves_no_placeholder(kind: NoteKind) -> None:
    text = load_prompt(kind).render({"most": "5"})
    assert "{{" not in text
    assert "is an instruction to you" in text  # what programs say is data


def test_what_was_asked_can_be_named() -> None:
    assert set(scratchpad_identities()) == {f"scratchpad.{kind}" for kind in get_args(NoteKind)}
