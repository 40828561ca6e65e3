from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.tasks import forbidden_imports, imports, python_syntax


@pytest.mark.parametrize("text", ["", "x = 1\r\n", "\ufeffx = 1", "'\\d'", "def f():\n\treturn 1", "x is 1"])
def test_good_programs_pass(text: str) -> None:
    assert python_syntax(text) is None


def test_a_message_has_line_column_the_line_and_a_caret() -> None:
    assert python_syntax("x = 1\ny = = 2\n") == "line 2, column 5: invalid syntax\n    y = = 2\n        ^"


def test_errors_found_after_parsing_are_shown_too() -> None:
    assert python_syntax("x = 1\nreturn x\n") == (
        "line 2, column 1: 'return' outside function\n    return x\n    ^"
    )


@pytest.mark.parametrize(
    "text",
    [
        "(" * 500,
        "-" * 200_000 + "1",
        "a." * 100_000 + "a",
        "1+" * 200_000 + "1",
        "x = 1\0",
        "'\ud800'",
        "[" * 99 + "]",
    ],
    ids=["parentheses", "unary", "attributes", "sums", "null", "surrogate", "unclosed"],
)
def test_strange_and_huge_programs_are_refused_in_a_short_message(text: str) -> None:
    message = python_syntax(text)
    assert message
    assert len(message) < 600
    assert imports(text) == frozenset()


def test_a_long_line_is_shown_around_the_fault() -> None:
    message = python_syntax("x = [" + "1, " * 10_000 + "= 2]")
    assert message is not None
    _, shown, caret = message.split("\n")
    assert "= 2]" in shown
    assert shown[caret.index("^")] == "="


@given(st.text(max_size=60))
def test_any_text_gives_an_answer(text: str) -> None:
    assert python_syntax(text) is None or isinstance(python_syntax(text), str)
    assert isinstance(imports(text), frozenset)


def test_imports_are_found_wherever_they_stand() -> None:
    text = """
import os.path as p, sys
from collections.abc import Sequence
def f():
    from . import near
    import importlib
    importlib.import_module("json.decoder"), __import__('re'), __import__(name)
"""
    assert imports(text) == {"os", "sys", "collections", ".", "importlib", "json", "re"}


def test_what_is_allowed_or_local_is_not_forbidden() -> None:
    text = "from __future__ import annotations\nimport math, socket, os, helper"
    assert forbidden_imports(text, ["math"], local=["helper"]) == ("os", "socket")
    assert forbidden_imports(text, ["math", "os", "socket", "helper"]) == ()
