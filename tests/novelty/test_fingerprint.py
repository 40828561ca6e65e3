from __future__ import annotations

import asyncio
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.novelty import FingerprintFilter, NoveltyMemory, Verdict, fingerprint
from speciate.records import Program, text_hash
from speciate.testing.screenings import program, screening

SOURCE = "def f(x):\n    y = x + 1\n    return y * 2.0\n"


def python(source: str) -> str:
    return fingerprint(program(source), "python")


@pytest.mark.parametrize(
    "rewritten",
    [
        "# why\n" + SOURCE,
        SOURCE.replace("x + 1", "(x  +  1)  # plus one"),
        SOURCE.replace("\n", "\n\n"),
        SOURCE.replace("    ", "  "),
        SOURCE.rstrip("\n"),
        SOURCE.replace("\n", "\r\n"),
        SOURCE.replace("2.0", "2.00"),
    ],
)
def test_layout_and_comments_make_no_difference(rewritten: str) -> None:
    assert python(rewritten) == python(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ 1", "+ 2"),
        ("+ 1", "+ 1.0"),
        ("+ 1", "+ True"),
        ("+ 1", "- 1"),
        ("2.0", "2.0000000000000004"),
        ("2.0", "'2.0'"),
        ("y", "z"),
        ("def f(x)", "def g(x)"),
        ("def f(x)", "def f(x=0)"),
        ("def f(x)", "def f(*, x)"),
        ("return y", "yield y"),
    ],
)
def test_what_a_program_computes_makes_a_difference(old: str, new: str) -> None:
    assert python(SOURCE.replace(old, new)) != python(SOURCE)


def test_a_task_may_say_what_alone_decides_a_score() -> None:
    def first_line(program: Program) -> str | None:
        return program.source.splitlines()[0] if program.source else None

    def taken(source: str) -> str:
        return fingerprint(program(source), "python", first_line)

    assert taken("x = 1\ny = 2\n") == taken("x = 1\ny = 3\n") != taken("x = 2\ny = 2\n")
    assert taken("x = 1\n") != python("x = 1\n")


def test_sign_of_zero_and_nested_code_make_a_difference() -> None:
    assert python("x = 0.0") != python("x = -0.0")
    assert python("f = lambda: (lambda: 1)") != python("f = lambda: (lambda: 2)")


def test_what_a_try_block_covers_makes_a_difference() -> None:
    inside = "try:\n    a()\n    b()\nexcept OSError:\n    c()\n"
    outside = "try:\n    a()\nexcept OSError:\n    c()\nelse:\n    b()\n"
    assert python(inside) != python(outside)


def test_file_names_and_the_order_of_sets_do_not_confuse() -> None:
    assert python("x in {'a', 'b', 'c'}") == python("x in  {'a', 'b', 'c'}")
    two = Program.of({"a.py": "x = 1", "b.py": "y = 1"})
    swapped = Program.of({"a.py": "y = 1", "b.py": "x = 1"})
    assert fingerprint(two, "python") != fingerprint(swapped, "python")


@pytest.mark.parametrize(
    "source", ["def (", "x = '\\d'\n", "\0", "(" * 3_000, "-" * 50_000 + "1", "x = " + "9" * 9_000, "\ud800"]
)
def test_hostile_and_broken_python_is_survived_without_a_warning(source: str) -> None:
    assert python(source) == python(source) != python("x = 1")


def test_other_languages_are_taken_letter_by_letter() -> None:
    spaced = Program.of({"a.c": "int  x;"})
    assert fingerprint(Program.of({"a.c": "int x;"}), "c") != fingerprint(spaced, "c")
    assert fingerprint(spaced, "c") == fingerprint(Program.of({"a.c": "int  x;"}), "c")


@given(st.text(max_size=80), st.text(max_size=80))
def test_equal_programs_have_equal_fingerprints(first: str, second: str) -> None:
    a, b = (Program.of({"a": text}) for text in (first, second))
    assert (fingerprint(a, "text") == fingerprint(b, "text")) == (first == second)


def ask(memory: NoveltyMemory, source: str, *, before: int, parent: str | None = None) -> Verdict:
    asked = screening(source, before=before, parent=parent)
    return asyncio.run(FingerprintFilter(memory, "python").check(asked))


def test_a_program_that_was_tried_is_a_duplicate_of_the_first() -> None:
    memory = NoveltyMemory()
    for ordinal in (8, 3, 5):
        memory.note(ordinal, 0, python("x = 1"))
    verdict = ask(memory, "x = 1  # again", before=9)
    assert (verdict.novel, verdict.reason, verdict.nearest) == (False, "duplicate", 3)
    assert verdict.message


def test_only_what_the_choice_had_seen_counts() -> None:
    memory = NoveltyMemory()
    memory.note(3, 0, python("x = 1"))
    assert ask(memory, "x = 1", before=3).novel
    assert not ask(memory, "x = 1", before=4).novel


def test_a_program_that_does_what_its_parent_does_is_no_change() -> None:
    verdict = ask(NoveltyMemory(), "x = 1  # polished", before=0, parent="x = 1")
    assert (verdict.novel, verdict.reason) == (False, "no_change")


def test_a_program_without_a_fingerprint_is_not_remembered() -> None:
    memory = NoveltyMemory()
    memory.note(0, 0, "")
    assert len(memory) == 0


def test_a_hundred_thousand_programs_take_little_memory() -> None:
    tracemalloc.start()
    memory = NoveltyMemory()
    for ordinal in range(100_000):
        memory.note(ordinal, 0, text_hash(str(ordinal))[:32])
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(memory) == 100_000
    assert taken < 25e6, sys.version
