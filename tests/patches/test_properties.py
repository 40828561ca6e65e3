"""What holds for every program, edit and reply."""

from __future__ import annotations

from hypothesis import event, given, settings
from hypothesis import strategies as st

from speciate.patches import (
    PatchFailure,
    apply_full_text,
    apply_search_replace,
    distance,
    immutable_change,
    unified_diff,
    write_search_replace,
)
from speciate.records import Program
from speciate.tasks import Mutable, ObjectiveSpec, ProgramSpec, Task, TaskSpec, segments

# Few different lines, so that they repeat; among them delimiters, near markers and odd characters.
TEXT = ("", "x = 1", "    x = 1", "y = 2", "pass", "  ", "\tz", "a\x0cb", "é\u2028ü")
DELIMITERS = ("=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "file: b.py", "```")
NEAR_MARKERS = ("# EVOLVE-BLOCK-STARTED", "s = '# EVOLVE-BLOCK-END'")
LINE = st.sampled_from(TEXT + DELIMITERS + NEAR_MARKERS)
LINES = st.lists(LINE, max_size=8)
FIXED = st.lists(LINE, max_size=3)


def make_task(mutable: Mutable) -> Task:
    spec = TaskSpec(name="t", objectives=(ObjectiveSpec(name="s"),), program=ProgramSpec(mutable=mutable))
    return Task(spec=spec, initial=Program.of({"initial.py": ""}))


REGIONS, WHOLE = make_task("regions"), make_task("whole")


def framed(fixed: list[list[str]], inner: list[list[str]], ending: str) -> Program:
    """Puts each inner list into a region; `fixed` has one list more than `inner`."""
    lines = list(fixed[0])
    for region, after in zip(inner, fixed[1:], strict=True):
        lines += ["# EVOLVE-BLOCK-START", *region, "  # EVOLVE-BLOCK-END", *after]
    return Program.of({"initial.py": "".join(line + ending for line in lines)})


@st.composite
def edits(draw: st.DrawFn) -> tuple[Program, Program]:
    """Draws two programs that differ in the text of their regions only."""
    count = draw(st.integers(1, 3))
    fixed = draw(st.lists(FIXED, min_size=count + 1, max_size=count + 1))
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    inner = st.lists(LINES, min_size=count, max_size=count)
    return framed(fixed, draw(inner), ending), framed(fixed, draw(inner), ending)


@given(edits())
def test_written_blocks_lead_to_the_target_and_back(pair: tuple[Program, Program]) -> None:
    for before, after in (pair, pair[::-1]):
        reply = write_search_replace(before, after, REGIONS)
        if before == after:
            assert reply == ""
        else:
            assert apply_search_replace(before, reply, REGIONS) == after


@given(LINES, LINES, st.booleans())
def test_written_blocks_work_without_markers_too(old: list[str], new: list[str], final: bool) -> None:
    def whole(lines: list[str]) -> Program:
        return Program.of({"initial.py": "\n".join(lines) + ("\n" if final and lines else "")})

    before, after = whole([*old, "end"]), whole([*new, "end"])
    reply = write_search_replace(before, after, WHOLE)
    assert before == after or apply_search_replace(before, reply, WHOLE) == after


@given(edits())
def test_a_full_rewrite_leads_to_the_target_and_back(pair: tuple[Program, Program]) -> None:
    for before, after in (pair, pair[::-1]):
        result = apply_full_text(before, f"``````\n{after.source}``````", REGIONS)
        assert result == after or (before == after and isinstance(result, PatchFailure))


NOISE = st.lists(
    st.tuples(st.integers(0, 60), LINE | st.sampled_from(["# EVOLVE-BLOCK-START", "# EVOLVE-BLOCK-END"]))
)


@given(edits(), NOISE, st.lists(st.integers(0, 60), max_size=3), st.booleans())
@settings(max_examples=300)
def test_no_reply_changes_anything_outside_regions(
    pair: tuple[Program, Program], noise: list[tuple[int, str]], lost: list[int], full: bool
) -> None:
    before, after = pair
    good = f"``````\n{after.source}``````" if full else write_search_replace(before, after, REGIONS)
    lines = good.split("\n")
    for at, line in noise:
        lines.insert(at, line)
    reply = "\n".join(line for index, line in enumerate(lines) if index not in lost)
    for result in (apply_search_replace(before, reply, REGIONS), apply_full_text(before, reply, REGIONS)):
        event(type(result).__name__)
        if isinstance(result, Program):
            assert immutable_change(before, result, REGIONS) is None
            old, new = (segments(p.source, "python") for p in (before, result))
            assert [s.text for s in old if not s.mutable] == [s.text for s in new if not s.mutable]
            assert result != before


@given(edits(), st.text(max_size=300))
def test_any_text_is_a_value_never_an_exception(pair: tuple[Program, Program], reply: str) -> None:
    for task in (REGIONS, WHOLE):
        for result in (apply_search_replace(pair[0], reply, task), apply_full_text(pair[0], reply, task)):
            assert isinstance(result, Program | PatchFailure)
            assert isinstance(result, Program) or result.message


@given(edits())
def test_distance_is_symmetric_bounded_and_zero_for_equals(pair: tuple[Program, Program]) -> None:
    before, after = pair
    assert 0 <= distance(before, after) <= 1
    assert distance(before, after) == distance(after, before)
    assert (distance(before, after) == 0) == (before == after)
    assert (unified_diff(before, after) == "") == (before == after)
