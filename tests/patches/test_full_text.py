from __future__ import annotations

import pytest

from speciate.patches import PatchFailure, apply_full_text
from speciate.records import Program
from speciate.tasks import Mutable, ObjectiveSpec, ProgramSpec, Task, TaskSpec

SOURCE = """import math

# EVOLVE-BLOCK-START
def area(radius):
    return 3 * radius**2
# EVOLVE-BLOCK-END

print(area(2))
"""
REGION = "def area(radius):\n    return 3 * radius**2\n"
BETTER = "def area(radius):\n    return math.pi * radius**2\n"
TARGET = SOURCE.replace(REGION, BETTER)


def task(*files: str, mutable: Mutable = "regions", language: str = "python") -> Task:
    names = files or ("initial.py",)
    spec = TaskSpec(
        name="t",
        language=language,
        objectives=(ObjectiveSpec(name="score"),),
        program=ProgramSpec(files=names, mutable=mutable),
    )
    return Task(spec=spec, initial=Program.of(dict.fromkeys(names, "")))


def result(
    reply: str, text: str = SOURCE, *, mutable: Mutable = "regions", language: str = "python"
) -> Program | PatchFailure:
    return apply_full_text(Program.of({"initial.py": text}), reply, task(mutable=mutable, language=language))


def applied(reply: str, text: str = SOURCE, *, mutable: Mutable = "regions", language: str = "python") -> str:
    found = result(reply, text, mutable=mutable, language=language)
    assert isinstance(found, Program), found.message
    return found.source


def failed(reply: str, text: str = SOURCE, *, mutable: Mutable = "regions") -> PatchFailure:
    found = result(reply, text, mutable=mutable)
    assert isinstance(found, PatchFailure)
    return found


@pytest.mark.parametrize(
    "fenced",
    [
        "```python\n{}```",
        "Here you are:\n\n```py title=initial.py\n{}```\nGood luck!",
        "~~~\n{}~~~~\n",
        "`````\n{}`````",
        "```python\n{}",
        "  ```python\n{}  ```",
        "```python\n# file: initial.py\n{}```",
    ],
)
@pytest.mark.parametrize("sent", [TARGET, BETTER])
def test_any_fence_around_the_file_or_the_region_is_read(fenced: str, sent: str) -> None:
    assert applied(fenced.format(sent)) == TARGET


def test_an_indented_fence_gives_its_content_without_the_indentation() -> None:
    lines = ["- New version:", "  ```python", *("  " + line for line in BETTER.splitlines()), "  ```"]
    assert applied("\n".join(lines)) == TARGET


def test_a_reply_without_fences_is_taken_when_it_is_a_program() -> None:
    assert applied(TARGET) == TARGET
    assert applied("x = 1\ny = 2\n", "x = 0\n", mutable="whole") == "x = 1\ny = 2\n"


@pytest.mark.parametrize("reply", ["", "Sorry", "I cannot help with that.\nReally not.", "```\n\n```"])
def test_prose_is_no_patch(reply: str) -> None:
    assert failed(reply, mutable="whole").reason == "no_patch"


def test_the_block_with_markers_is_taken_among_several() -> None:
    long_note = "x = 0\n" * 200
    assert applied(f"```\n{long_note}```\n```python\n{TARGET}```\n```\nrun it\n```") == TARGET


def test_a_quote_of_the_present_program_is_not_mistaken_for_the_new_one() -> None:
    assert applied(f"New:\n```\n{TARGET}```\ninstead of\n```\n{SOURCE}```") == TARGET


def test_the_largest_block_is_taken_when_none_has_markers() -> None:
    assert applied(f"```\npip\n```\n```\n{BETTER}```\n```\nok\n```") == TARGET


def test_a_whole_file_without_its_marker_lines_is_cut_to_the_region() -> None:
    plain = "".join(line for line in TARGET.splitlines(keepends=True) if "EVOLVE" not in line)
    assert applied(f"```\n{plain}```") == TARGET


def test_the_region_with_only_its_marker_lines_is_enough() -> None:
    assert applied(f"```\n# EVOLVE-BLOCK-START\n{BETTER}# EVOLVE-BLOCK-END\n```") == TARGET


def test_changed_immutable_text_is_refused_with_the_line() -> None:
    failure = failed(f"```\n{TARGET.replace('print(area(2))', 'print(42)')}```")
    assert failure.reason == "immutable"
    assert "print(area(2))" in failure.message
    assert "print(42)" in failure.message


def test_white_space_in_immutable_text_is_put_back() -> None:
    sloppy = TARGET.replace("import math\n\n", "import math   \n").rstrip("\n")
    assert applied(f"```\n{sloppy}\n```") == TARGET


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (TARGET.replace("# EVOLVE-BLOCK-END\n", ""), "malformed"),
        (TARGET + "# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n", "markers"),
        (SOURCE, "no_change"),
    ],
)
def test_wrong_markers_and_no_change_are_refused(sent: str, reason: str) -> None:
    assert failed(f"```\n{sent}```").reason == reason


def test_line_ends_and_the_last_line_end_are_the_files_own() -> None:
    crlf = SOURCE.replace("\n", "\r\n")
    assert applied(f"```\n{TARGET}```", crlf) == TARGET.replace("\n", "\r\n")
    assert applied(f"```\n{BETTER}```", crlf) == TARGET.replace("\n", "\r\n")
    assert applied("```\na\nb\n```", "a\r\nc", mutable="whole") == "a\r\nb"


def test_a_program_that_holds_fences_is_read_to_its_last_one() -> None:
    source = "<!-- EVOLVE-BLOCK-START -->\nold\n<!-- EVOLVE-BLOCK-END -->\n"
    target = source.replace("old", "Write:\n```\ncode\n```\nThen stop.")
    assert applied(f"```markdown\n{target}```\n", source, language="markdown") == target


def test_several_regions_need_the_markers() -> None:
    two = SOURCE + "# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n"
    assert failed(f"```\n{BETTER}```", two).reason == "markers"
    assert applied(f"```\n{two.replace('x = 1', 'x = 2')}```", two) == two.replace("x = 1", "x = 2")


def test_several_files_are_told_apart_by_name() -> None:
    both = Program.of({"a.py": SOURCE, "lib/b.py": SOURCE, "c.txt": "keep\n"})
    several = task("a.py", "lib/b.py", "c.txt")
    reply = f"file: `a.py`\n```\n{TARGET}```\n**file: lib/b.py**\n\n```python\n{BETTER}```"
    assert apply_full_text(both, reply, several) == Program.of(
        {"a.py": TARGET, "lib/b.py": TARGET, "c.txt": "keep\n"}
    )
    for bad in (f"```\n{BETTER}```", f"```python d.py\n{BETTER}```"):
        failure = apply_full_text(both, bad, several)
        assert isinstance(failure, PatchFailure)
        assert failure.reason == "unknown_file"
        assert "lib/b.py" in failure.message


def test_an_immutable_file_is_never_rewritten() -> None:
    both = Program.of({"a.py": SOURCE, "c.txt": "keep\n"})
    failure = apply_full_text(both, "```c.txt\nlost\n```", task("a.py", "c.txt"))
    assert isinstance(failure, PatchFailure)
    assert failure.reason == "immutable"
