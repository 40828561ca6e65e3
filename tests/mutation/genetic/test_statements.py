import ast

import numpy as np
import pytest

from speciate.mutation.genetic import statements
from speciate.mutation.genetic.edits import splice
from speciate.mutation.genetic.operators import Mutate
from speciate.mutation.genetic.python_ast import python_sites

TEXT = "a = 1  # one\nif a < 2:\n    b = a\n\n    c = b\n"


def children(operator: Mutate, text: str, count: int = 200) -> set[str]:
    """Returns the different texts that an operator makes of one; each must be Python."""
    found = python_sites(text, ((0, len(text.encode())),))
    changes = [operator(found, np.random.default_rng(seed), 0.1) for seed in range(count)]
    made = {splice(found.data, change.edits).decode() for change in changes if change is not None}
    for child in made:
        ast.parse(child)
    return made


def test_neighbours_change_places_with_their_comments() -> None:
    assert children(statements.swap, TEXT) == {
        "if a < 2:\n    b = a\n\n    c = b\na = 1  # one\n",
        "a = 1  # one\nif a < 2:\n    c = b\n\n    b = a\n",
    }


def test_a_last_line_without_end_can_be_swapped() -> None:
    assert children(statements.swap, "a = 1\nb = 2") == {"b = 2\na = 1\n"}


def test_deleting_the_last_statement_of_a_block_leaves_pass() -> None:
    made = children(statements.delete, "if a:\n    b = 1\n")
    assert made == {"if a:\n    pass\n", "pass\n"}


def test_copies_take_the_indentation_of_their_place() -> None:
    made = children(statements.copy, TEXT)
    assert "a = 1  # one\nif a < 2:\n    b = a\n    a = 1  # one\n\n    c = b\n" in made
    assert "a = 1  # one\nb = a\nif a < 2:\n    b = a\n\n    c = b\n" in made


def test_a_statement_can_run_several_times() -> None:
    made = children(statements.repeat, "a += 1\n")
    assert "for _ in range(2):\n    a += 1\n" in made
    assert len(made) > 2


def test_a_condition_from_elsewhere_guards_a_statement() -> None:
    made = children(statements.guard, "a = 1\nprint(a > 2)\n")
    assert "a = 1\nif a > 2:\n    print(a > 2)\n" in made


def test_a_block_can_take_the_place_of_its_statement() -> None:
    assert children(statements.unnest, TEXT) == {"a = 1  # one\nb = a\n\nc = b\n"}


def test_windows_line_ends_stay() -> None:
    for operator in (statements.repeat, statements.guard, statements.delete, statements.unnest):
        for child in children(operator, TEXT.replace("\n", "\r\n")):
            assert child.count("\n") == child.count("\r\n")


def test_what_holds_a_return_stays_in_one_piece() -> None:
    text = "def f():\n    return 1\n"
    for operator in (statements.delete, statements.copy, statements.repeat, statements.swap):
        assert children(operator, text, count=20) == set()


@pytest.mark.parametrize(
    "operator",
    [
        statements.swap,
        statements.delete,
        statements.copy,
        statements.repeat,
        statements.guard,
        statements.unnest,
    ],
)
def test_an_empty_program_offers_nothing(operator: Mutate) -> None:
    assert children(operator, "", count=3) == set()
