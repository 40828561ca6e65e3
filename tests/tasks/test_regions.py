from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.errors import TaskError
from speciate.records import Program
from speciate.tasks import (
    LANGUAGES,
    Language,
    Mutable,
    ObjectiveSpec,
    ProgramSpec,
    Segment,
    TaskSpec,
    marker_lines,
    mutable_text,
    program_segments,
    replace_mutable,
    segments,
)

LINE = st.sampled_from(
    ["# EVOLVE-BLOCK-START", "# EVOLVE-BLOCK-END", "x = 1", "", "\x0c", "a\rb", "\u2028", "é"]
)
TEXT = st.lists(st.tuples(LINE, st.sampled_from(["\n", "\r\n"])), max_size=12).map(
    lambda lines: "".join(line + ending for line, ending in lines)
)


def spec(
    mutable: Mutable = "regions", language: str = "python", files: tuple[str, ...] = ("a.py",)
) -> TaskSpec:
    return TaskSpec(
        name="t",
        language=language,
        objectives=(ObjectiveSpec(name="s"),),
        program=ProgramSpec(files=files, mutable=mutable),
    )


def test_a_region_lies_between_markers_that_never_change() -> None:
    parts = segments("a\n# EVOLVE-BLOCK-START\nb\n# EVOLVE-BLOCK-END\nc", "python")
    assert parts == (
        Segment("a\n# EVOLVE-BLOCK-START\n", False),
        Segment("b\n", True),
        Segment("# EVOLVE-BLOCK-END\nc", False),
    )


@given(TEXT, st.sampled_from(["", "last line"]))
def test_segments_joined_are_the_text(text: str, rest: str) -> None:
    try:
        parts = segments(text + rest, "python")
    except TaskError:
        return
    assert "".join(part.text for part in parts) == text + rest
    assert [part.mutable for part in parts] == [bool(index % 2) for index in range(len(parts))]
    assert replace_mutable(parts, mutable_text(parts)) == text + rest


@given(st.text())
def test_a_whole_file_is_one_mutable_segment(text: str) -> None:
    assert segments(text, "python", mutable="whole") == (Segment(text, True),)


@pytest.mark.parametrize("spoken", [one for one in LANGUAGES if one.comment("")], ids=lambda one: one.name)
def test_markers_work_in_the_comments_of_every_language(spoken: Language) -> None:
    start, end = spoken.comment("EVOLVE-BLOCK-START"), spoken.comment("EVOLVE-BLOCK-END")
    assert mutable_text(segments(f"  {start}  \r\nx\r\n\t{end}\n", spoken)) == ("x\r\n",)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("# EVOLVE-BLOCK-START: tune this", "python"),
        ("\t### --- EVOLVE-BLOCK-START ---", "python"),
        ("\ufeff# EVOLVE-BLOCK-START", "python"),
        ("//EVOLVE-BLOCK-START", "rust"),
        ("/// EVOLVE-BLOCK-START", "rust"),
        ("/* EVOLVE-BLOCK-START (the kernel) */", "c"),
        ("/** EVOLVE-BLOCK-START **/", "c"),
        ("<!-- EVOLVE-BLOCK-START -->", "markdown"),
        ("--[[ EVOLVE-BLOCK-START ]]", "lua"),
    ],
)
def test_marker_lines_may_be_dressed(line: str, language: str) -> None:
    assert marker_lines(f"x\n{line}\n", language) == (2,)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("x = 1  # EVOLVE-BLOCK-START", "python"),
        ("# about EVOLVE-BLOCK-START", "python"),
        ("# EVOLVE-BLOCK-STARTED", "python"),
        ("# evolve-block-start", "python"),
        ("// EVOLVE-BLOCK-START", "python"),
        ("/* EVOLVE-BLOCK-START", "c"),
        ("/* EVOLVE-BLOCK-START */ int x;", "c"),
        ("--[[ EVOLVE-BLOCK-START", "lua"),
        ("# EVOLVE-BLOCK-START", "json"),
    ],
)
def test_other_lines_are_no_markers(line: str, language: str) -> None:
    assert marker_lines(line, language) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x\n# EVOLVE-BLOCK-END\n",
            "a.py, line 2: EVOLVE-BLOCK-END without a start; write '# EVOLVE-BLOCK-START'",
        ),
        ("# EVOLVE-BLOCK-START\nx\n", "a.py, line 1: .* never closed; write '# EVOLVE-BLOCK-END'"),
        ("# EVOLVE-BLOCK-START\n\n# EVOLVE-BLOCK-START\n", "a.py, line 3: .* opened in line 1; write"),
        ("x = 1\n", 'a.py has no EVOLVE-BLOCK markers; put the lines .* mutable = "whole"'),
        (
            "y\nx = 1  # EVOLVE-BLOCK-START\n",
            "a.py, line 2: a marker has to be a comment on a line of its own",
        ),
    ],
)
def test_malformed_markers_name_the_line_and_what_to_write(text: str, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        program_segments(Program.of({"a.py": text}), spec())


def test_a_language_without_comments_is_whole() -> None:
    program = Program.of({"a.json": "{}"})
    with pytest.raises(TaskError, match=r'json has no comments .* mutable = "whole"'):
        program_segments(program, spec(language="json", files=("a.json",)))
    assert program_segments(program, spec("whole", "json", ("a.json",)))[0].segments == (Segment("{}", True),)


def test_files_are_cut_in_their_own_language_and_may_be_immutable() -> None:
    region = "// EVOLVE-BLOCK-START\n// EVOLVE-BLOCK-END\n"
    program = Program.of({"a.c": region, "Makefile": "all:\n", "b.py": region})
    files = program_segments(program, spec(language="c", files=("a.c", "Makefile", "b.py")))
    assert [file.language.name for file in files] == ["c", "c", "python"]
    assert [len(file.segments) for file in files] == [3, 1, 1]


def test_replaced_text_never_runs_into_the_marker() -> None:
    parts = segments("# EVOLVE-BLOCK-START\r\nx\r\n# EVOLVE-BLOCK-END", "python")
    assert replace_mutable(parts, ["y"]) == "# EVOLVE-BLOCK-START\r\ny\r\n# EVOLVE-BLOCK-END"
    assert replace_mutable(parts, [""]) == "# EVOLVE-BLOCK-START\r\n# EVOLVE-BLOCK-END"
    with pytest.raises(ValueError, match="2 texts for 1 regions"):
        replace_mutable(parts, ["y", "z"])
