from __future__ import annotations

import pytest

from speciate.problems.corewar.reading import read
from speciate.problems.corewar.redcode import RedcodeError, assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.problems.corewar.warriors import load_builtin

DRQ, NANO = PRESETS["drq"], PRESETS["nano"]


def test_a_warrior_is_read_once() -> None:
    for warrior in load_builtin():
        assert read(warrior.source, DRQ) == assemble(warrior.source, DRQ)
        assert read(warrior.source, DRQ) is read(warrior.source, DRQ)


def test_the_rules_count() -> None:
    assert read("MOV -1, 1", DRQ).code[0].a == 7999
    assert read("MOV -1, 1", NANO).code[0].a == 79


def test_a_misspelt_line_is_an_error_each_time_and_never_left_out() -> None:
    for _ in range(2):
        with pytest.raises(RedcodeError, match=r"line 2.*JMP"):
            read("MOV 0, 1\nJUMP -1\n", DRQ)
