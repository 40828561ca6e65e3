from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from speciate.errors import ConfigError
from speciate.problems import corewar


def test_all_public_names_load() -> None:
    for name in corewar.__all__:
        assert getattr(corewar, name).__name__ == name if name != "PRESETS" else corewar.PRESETS
    assert set(corewar.__all__) <= set(dir(corewar))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'batle'"):
        corewar.batle  # noqa: B018


def test_importing_the_problem_loads_nothing_heavy() -> None:
    program = """
import sys
import speciate.problems.corewar
print([name for name in ("numpy", "numba", "pydantic") if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_the_whole_of_it_in_a_few_lines() -> None:
    settings = corewar.Settings(core_size=800, cycles=8000, processes=800, max_length=20, min_distance=20)
    imp = corewar.assemble("mov 0, 1", settings)
    dwarf = corewar.assemble("add #4, 3\nmov 2, @2\njmp -2\ndat #0, #0", settings)
    assert corewar.assemble(dwarf.listing(), settings).code == dwarf.code
    result = corewar.battle([imp, dwarf], settings, rounds=10, seed=1)
    assert sum(sum(row) for row in result.results) - result.results[0][1] == 10
    state = corewar.run_state([imp, dwarf], settings, [0, 400], 2)
    assert state.listing().splitlines()[1] == "MOV.I $0,$1"
    assert corewar.tournament([imp, dwarf], settings, rounds=10, seed=1).standings[0].points > 10
    with pytest.raises(corewar.RedcodeError):
        corewar.assemble("mov", settings)


def test_rules_may_be_given_in_their_order() -> None:
    expected = corewar.Settings(
        core_size=800, cycles=8000, processes=80, max_length=20, min_distance=25, pspace_size=50
    )
    assert corewar.Settings(800, 8000, 80, 20, 25, 50) == expected


@pytest.mark.parametrize(
    "rule",
    [
        {"core_size": 65_537},
        {"core_size": True},
        {"max_length": 8001},
        {"pspace_size": "a"},
        {"pspace_size": 2.5},
        {"read_limit": "4"},
        {"read_limit": 2.0},
        {"write_limit": 3},
        {"rounds": 1_000_001},
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_by_name(rule: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"{next(iter(rule))} is "):
        corewar.Settings(**rule)


def test_the_program_of_the_page_prints_what_the_page_says() -> None:
    page = (Path(__file__).parents[3] / "docs/problems/corewar.md").read_text("utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (said,) = re.findall(r"result\.scores\) +# (.*)$", program, re.MULTILINE)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[0] == said
