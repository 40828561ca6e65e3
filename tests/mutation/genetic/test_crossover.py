import numpy as np

from speciate.mutation.genetic import crossover
from speciate.mutation.genetic.edits import splice
from speciate.mutation.genetic.operators import Cross
from speciate.mutation.genetic.python_ast import python_sites
from speciate.mutation.genetic.sites import Sites

FIRST = "T = [(0.1, 0.2), (0.3, 0.4), (0.5, 0.6)]\n\n\ndef f(x):\n    y = 2 * x\n    return y\n"
SECOND = "T = [(1.1, 1.2), (1.3, 1.4), (0.5, 0.6)]\n\n\ndef f(x):\n    return 9 - x\n"


def sites(text: str) -> Sites:
    return python_sites(text, ((0, len(text.encode())),))


def children(operator: Cross, mine: str, other: str, count: int = 300) -> set[str]:
    a, b = sites(mine), sites(other)
    changes = [operator(a, b, np.random.default_rng(seed)) for seed in range(count)]
    return {splice(a.data, change.edits).decode() for change in changes if change is not None}


def tables(made: set[str]) -> list[list[tuple[float, float]]]:
    answer = []
    for child in made:
        variables: dict[str, list[tuple[float, float]]] = {}
        exec(child, variables)
        answer.append(variables["T"])
    return answer


def test_constants_align_although_the_rest_differs() -> None:
    assert list(crossover.aligned(sites(FIRST), sites(SECOND))) == [(k, k) for k in range(6)]


def test_rows_are_taken_whole() -> None:
    made = tables(children(crossover.blend, FIRST, SECOND))
    assert [(1.1, 1.2), (0.3, 0.4), (0.5, 0.6)] in made
    assert [(1.1, 1.2), (1.3, 1.4), (0.5, 0.6)] in made


def test_blends_stay_near_the_line_between_the_parents() -> None:
    for table in tables(children(crossover.blend, FIRST, SECOND)):
        for (x, y), (a, b) in zip(table, [(0.1, 0.2), (0.3, 0.4), (0.5, 0.6)], strict=True):
            assert -0.26 <= x - a <= 1.26
            assert abs((x - a) - (y - b)) < 0.01


def test_integers_blend_into_integers() -> None:
    for child in children(crossover.blend, "a = 1", "a = 9"):
        assert child.removeprefix("a = ").lstrip("-").isdigit()


def test_equal_constants_offer_nothing() -> None:
    assert children(crossover.blend, FIRST, FIRST, count=5) == set()


def test_a_definition_moves_over_whole() -> None:
    made = children(crossover.transplant, FIRST, SECOND)
    head, tail = FIRST.split("\n\n\n")
    other_head, other_tail = SECOND.split("\n\n\n")
    assert made == {f"{head}\n\n\n{other_tail}", f"{other_head}\n\n\n{tail}"}


def test_an_expression_moves_over() -> None:
    made = children(crossover.exchange, FIRST, SECOND, count=2000)
    assert FIRST.replace("2 * x", "9 - x") in made


def test_moved_expressions_read_only_what_is_known() -> None:
    for child in children(crossover.exchange, "a = 1 + 2\n", "b = 3\na = b + missing\n"):
        assert "b" not in child
        assert "missing" not in child
