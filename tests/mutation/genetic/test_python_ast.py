import ast

import pytest

from speciate.mutation.genetic.python_ast import UnparsableError, parse, python_sites
from speciate.mutation.genetic.sites import Kind, Sites


def sites(text: str) -> Sites:
    return python_sites(text, ((0, len(text.encode())),))


def texts(found: Sites, spans: object) -> list[str]:
    assert isinstance(spans, (list, tuple))
    return [found.text(item.span).decode() for item in spans]


def test_numbers_come_with_their_sign_and_in_order() -> None:
    found = sites("a = -1.5 + 2 * f(3, x=4)[5]\nb = True or 1j")
    assert [n.value for n in found.numbers] == [-1.5, 2, 3, 4, 5]
    assert texts(found, found.numbers)[0] == "-1.5"


def test_places_are_right_behind_wide_characters_and_odd_line_ends() -> None:
    found = sites("é = 'ü' + 1\r\nß = 'é', 2  # ö\r\x0cc = 3")
    assert texts(found, found.numbers) == ["1", "2", "3"]


def test_places_are_right_behind_a_byte_order_mark() -> None:
    found = sites("\ufeffa = 17\nb = 18")
    assert texts(found, found.numbers) == ["17", "18"]


def test_constants_that_stand_together_make_a_table() -> None:
    found = sites("P = [(0.1, 0.2), (0.3, -0.4)]\nq = [1, 2, 3]\nr = (5, 6)\ns = [7, x]\nt = [8]")
    assert [table.rows for table in found.tables] == [((0, 1), (2, 3)), ((4,), (5,), (6,)), ((7, 8),)]


def test_only_mutable_text_has_sites() -> None:
    text = "import math\na = 1\nb = 2\nc = 3\n"
    start = text.index("b")
    found = python_sites(text, ((start, start + 6),))
    assert [n.value for n in found.numbers] == [2]
    assert texts(found, found.statements) == ["b = 2\n"]
    assert {"math", "a", "b", "c"} <= found.visible((start, start + 1))


def test_operators_are_found_between_their_operands() -> None:
    found = sites("a = (b) + (c // d)\ne = f <= g and not h\ni = j ** -k")
    assert sorted(texts(found, found.symbols)) == ["**", "+", "//", "<=", "and"]


def test_annotations_fstrings_and_stored_places_are_left_alone() -> None:
    found = sites("def f(a: list[7] = [1, 2]) -> t[8]:\n    b[3] = f'{4} {a}'\n    d.e = 5")
    assert [n.value for n in found.numbers] == [1, 2, 3, 5]
    assert "b[3]" not in texts(found, found.expressions)
    assert "d.e" not in texts(found, found.expressions)


def test_kinds_tell_values_from_conditions() -> None:
    found = sites("x = a + 1 if b < 2 else [c]")
    kinds = dict(zip(texts(found, found.expressions), [e.kind for e in found.expressions], strict=True))
    assert kinds["a + 1"] is Kind.VALUE
    assert kinds["b < 2"] is Kind.TRUTH
    assert kinds["[c]"] is Kind.LIST


def test_scopes_know_what_they_bind() -> None:
    text = "import os.path as p\ndef f(a, *b, c=1, **d):\n    e = [g for g in a]\n    return e"
    found = sites(text)
    at = text.index("return")
    assert found.visible((at, at + 1)) == {"p", "f", "a", "b", "c", "d", "e"}
    inner = text.index("g for")
    assert "g" in found.visible((inner, inner + 1))


def test_statements_that_share_a_line_are_left_alone() -> None:
    found = sites("a = 1; b = 2\nc = 3  # note\nif d: e = 4\nf = 5")
    assert texts(found, found.statements) == ["c = 3  # note\n", "if d: e = 4\n", "f = 5"]


def test_definitions_have_qualified_names() -> None:
    found = sites("class K:\n    size = 1\n    @wraps\n    def f(self):\n        total = 2\n")
    assert [s.path for s in found.statements] == ["K", "K.size", "K.f", "K.f.total"]
    assert found.text(found.statements[2].span).startswith(b"    @wraps")


def test_what_holds_a_return_or_an_import_is_pinned() -> None:
    found = sites("def f():\n    a = 1\n    if a:\n        return a\n    b = 2\nimport os\nt = '''\n'''\n")
    movable = {
        text for text, s in zip(texts(found, found.statements), found.statements, strict=True) if s.movable
    }
    assert movable == {"    a = 1\n", "    b = 2\n"}


def test_a_deeply_nested_program_is_no_trouble() -> None:
    found = sites("a = " + "1 + " * 800 + "1")
    assert len(found.numbers) == 801


@pytest.mark.parametrize("text", ["def f(:", "a = \0", "(" * 5000, "a = '\ud800'"])
def test_what_is_not_python_is_told(text: str) -> None:
    with pytest.raises(UnparsableError):
        parse(text)


def test_bad_escapes_of_a_candidate_raise_no_warning() -> None:
    assert isinstance(parse("a = '\\d'"), ast.Module)
