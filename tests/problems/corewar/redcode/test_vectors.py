"""Every conformance vector: accepted or not, start and load file as pMARS has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from speciate.problems.corewar.redcode import Dialect, RedcodeError, assemble
from speciate.problems.corewar.settings import Settings

_DATA: Final = Path(__file__).parent.parent / "data" / "asm.jsonl"
_VECTORS: Final[list[dict[str, Any]]] = [json.loads(line) for line in _DATA.read_text().splitlines()]
_OPTIONS: Final = {"-s": "core_size", "-l": "max_length", "-S": "pspace_size", "-d": "min_distance"}


def _rules(arguments: list[str]) -> tuple[Settings, Dialect]:
    """Returns what the options of a vector mean."""
    if arguments == ["-8"]:
        return Settings(), "icws88"
    pairs = zip(arguments[::2], arguments[1::2], strict=True)
    return Settings().but(**{_OPTIONS[option]: int(value) for option, value in pairs}), "strict"


@pytest.mark.parametrize("vector", _VECTORS, ids=[f"{each['id']}-{each['kind']}" for each in _VECTORS])
def test_a_vector_assembles_as_in_pmars(vector: dict[str, Any]) -> None:
    settings, dialect = _rules(vector["args"])
    if not vector["ok"]:
        with pytest.raises(RedcodeError):
            assemble(vector["source"], settings, dialect=dialect)
        return
    warrior = assemble(vector["source"], settings, dialect=dialect)
    assert [each.text(settings.core_size) for each in warrior.code] == vector["listing"]
    assert warrior.start == vector["start"]
