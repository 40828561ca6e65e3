import ast

import numpy as np
import pytest

from speciate.mutation.genetic import expressions
from speciate.mutation.genetic.edits import splice
from speciate.mutation.genetic.operators import Mutate
from speciate.mutation.genetic.python_ast import python_sites


def children(operator: Mutate, text: str, count: int = 300) -> set[str]:
    """Returns the different texts that an operator makes of one."""
    found = python_sites(text, ((0, len(text.encode())),))
    changes = [operator(found, np.random.default_rng(seed), 0.1) for seed in range(count)]
    return {splice(found.data, change.edits).decode() for change in changes if change is not None}


def test_an_operator_gives_way_to_a_sibling() -> None:
    assert children(expressions.symbol_change, "a = b + c") == {"a = b - c"}
    assert children(expressions.symbol_change, "a = b < c") == {"a = b <= c", "a = b > c", "a = b >= c"}
    assert children(expressions.symbol_change, "a = m.floor(b)") == {"a = m.ceil(b)"}


def test_a_comment_with_an_operator_in_it_stays() -> None:
    for child in children(expressions.symbol_change, "a = (b  # x + y\n  + c * d)"):
        assert "# x + y" in child


def test_a_condition_is_replaced_by_a_condition() -> None:
    made = children(
        expressions.subexpression_copy, "a = b = 1\nif a < b:\n    a = 2\nif b == a:\n    b = 3\n"
    )
    assert "a = b = 1\nif b == a:\n    a = 2\nif b == a:\n    b = 3\n" in made
    assert not any("if a:" in child or "if 1:" in child for child in made)


def test_names_are_only_read_where_they_are_known() -> None:
    text = "def f(a):\n    inner = a * 2\n    return inner\n\n\nb = len('x') + 1\n"
    for child in children(expressions.subexpression_copy, text) | children(expressions.name_change, text):
        assert "inner" not in child.split("\n\n\n")[1]


@pytest.mark.parametrize("operator", [expressions.wrap, expressions.subexpression_copy, expressions.unwrap])
def test_operands_keep_their_binding(operator: Mutate) -> None:
    text = "r = (lambda: 0)() + (p - q) * -p ** 2\ns = [p, q][p:q], (p if q else 3) . real"
    made = children(operator, text)
    assert made
    parsed = 0
    for child in made:
        try:
            ast.parse(child)
        except SyntaxError:
            continue
        parsed += 1
    assert parsed > 0.9 * len(made)


def test_unwrapping_leaves_an_operand() -> None:
    assert children(expressions.unwrap, "a = min(b, c + d)") == {
        "a = b",
        "a = c + d",
        "a = min(b, c)",
        "a = min(b, d)",
    }


def test_loop_bounds_move() -> None:
    made = children(expressions.bound_change, "for a in range(n):\n    pass\n")
    assert made == {
        f"for a in range({bound}):\n    pass\n" for bound in ("n + 1", "n - 1", "2 * n", "n // 2")
    }


@pytest.mark.parametrize(
    "operator",
    [
        expressions.symbol_change,
        expressions.subexpression_copy,
        expressions.wrap,
        expressions.unwrap,
        expressions.name_change,
        expressions.bound_change,
    ],
)
def test_an_empty_program_offers_nothing(operator: Mutate) -> None:
    assert children(operator, "", count=3) == set()
