from __future__ import annotations

import re

import pytest

from speciate.patches import immutable_change, marker_injection
from speciate.records import Program
from speciate.tasks import Mutable, ObjectiveSpec, ProgramSpec, Task, TaskSpec

SOURCE = "a\n# EVOLVE-BLOCK-START\nb\n# EVOLVE-BLOCK-END\nc\n"


def task(mutable: Mutable = "regions", language: str = "python") -> Task:
    spec = TaskSpec(
        name="t",
        language=language,
        objectives=(ObjectiveSpec(name="score"),),
        program=ProgramSpec(files=("a.py",), mutable=mutable),
    )
    return Task(spec=spec, initial=Program.of({"a.py": SOURCE}))


def change(after: str, mutable: Mutable = "regions") -> str | None:
    return immutable_change(Program.of({"a.py": SOURCE}), Program.of({"a.py": after}), task(mutable))


@pytest.mark.parametrize("region", ["", "b\n", "x\ny\n", "# EVOLVE-BLOCK-STARTED\n"])
def test_regions_may_hold_anything(region: str) -> None:
    assert change(SOURCE.replace("b\n", region)) is None


@pytest.mark.parametrize(
    ("after", "message"),
    [
        (SOURCE.replace("a\n", "A\n"), "a.py, line 1: this line must stay 'a', not 'A'"),
        (
            SOURCE.replace("b\n", "x\ny\n").replace("c\n", "d\n"),
            "line 6: this line must stay 'c', not 'd'",
        ),
        (SOURCE.replace("c\n", "c \n"), "line 5: this line must stay 'c', not 'c '"),
        (SOURCE.replace("a\n", "a\r\n"), "line 1"),
        (SOURCE + "d", "line 6: this line must stay '', not 'd'"),
        (SOURCE.removesuffix("c\n"), "line 5: this line must stay 'c', not ''"),
        (SOURCE.replace("START", "START!"), "line 2"),
        (SOURCE.replace("# EVOLVE-BLOCK-END\n", ""), "line 2: .* never closed"),
        (SOURCE + SOURCE, "were 1 EVOLVE-BLOCK regions and now there are 2"),
        ("a\nb\nc\n", "no EVOLVE-BLOCK markers"),
    ],
)
def test_any_other_byte_is_noticed_with_its_line(after: str, message: str) -> None:
    found = change(after)
    assert found is not None
    assert re.search(message, found), found


def test_files_may_not_come_go_or_change_places() -> None:
    after = Program.of({"a.py": SOURCE, "b.py": ""})
    found = immutable_change(Program.of({"a.py": SOURCE}), after, task())
    assert found == "the program's files are a.py, in this order; not a.py, b.py"


def test_a_whole_file_may_change_altogether() -> None:
    assert change("# EVOLVE-BLOCK-END", "whole") is None
    assert marker_injection("# EVOLVE-BLOCK-END", "a.py", task("whole")) is None


def test_markers_in_new_text_are_found_in_the_files_language() -> None:
    text = "x\n  # EVOLVE-BLOCK-END now"
    assert "line 2 of the new text for a.py" in (marker_injection(text, "a.py", task()) or "")
    assert marker_injection(text, "a.py", task(language="c")) is None
