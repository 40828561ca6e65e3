from __future__ import annotations

import ast
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.novelty import Embedder, cosine, embed
from speciate.records import Program
from speciate.tasks import ObjectiveSpec, TaskSpec
from speciate.testing.screenings import program, whole_task

GREEDY = '''
import math

def pack(circles, margin=0.01):
    """Greedy radii."""
    placed = []
    for x, y in circles:
        radius = min(x, y, 1.0 - x, 1.0 - y)
        for a, b, r in placed:
            radius = max(0.0, min(radius, math.hypot(x - a, y - b) - r))
        placed.append((x, y, radius - margin))
    return placed
'''
RELAXED = '''
import math

def pack(circles, margin=0.01):
    """Repeated relaxation."""
    placed = [(x, y, 0.0) for x, y in circles]
    step = 0.5
    while step > 1e-6:
        placed = [(x, y, radius + step * margin) for x, y, radius in placed]
        pairs = ((a, b) for a in placed for b in placed if a is not b)
        if any(math.hypot(a[0] - b[0], a[1] - b[1]) < a[2] + b[2] for a, b in pairs):
            step /= 2
    return placed
'''
SORT = (
    "def sort(items):\n    for i in range(len(items)):\n"
    "        j = items.index(min(items[i:]))\n        items[i] = j\n"
)
QUICK = (
    "def sort(items):\n    if not items:\n        return []\n    i = items[0]\n"
    "    return sort([j for j in items[1:] if j < i]) + [i] + sort([j for j in items[1:] if j >= i])\n"
)
PAIRS = [(GREEDY, RELAXED), (SORT, QUICK)]
SPEC = whole_task()


def like(first: str, second: str, language: str = "python") -> float:
    spec = whole_task(language)
    return cosine(embed(program(first), spec), embed(program(second), spec))


class Renamer(ast.NodeTransformer):
    """Gives every name that the program makes up another one."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self._numbers = count()

    def new(self, name: str) -> str:
        return self.names.setdefault(name, f"name_{next(self._numbers)}")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self.new(node.name)
        node.args.args = [ast.arg(self.new(arg.arg)) for arg in node.args.args]
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if isinstance(node.ctx, ast.Store) or node.id in self.names:
            node.id = self.new(node.id)
        return node


def renamed(source: str) -> str:
    tree, renamer = ast.parse(source), Renamer()
    renamer.visit(tree)  # learns the names
    return ast.unparse(ast.fix_missing_locations(renamer.visit(tree)))


@pytest.mark.parametrize(("source", "other"), PAIRS)
def test_new_names_make_no_difference_and_another_algorithm_does(source: str, other: str) -> None:
    assert renamed(source) != source
    assert like(source, renamed(source)) == 1.0
    assert like(source, other) < 0.8


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0.01", "0.02"),
        ("min(x, y", "max(x, y"),
        ("math.hypot", "math.dist"),
        ("- margin", "+ margin"),
        ("radius - margin", "radius"),
    ],
)
def test_a_small_change_is_seen_and_is_small(old: str, new: str) -> None:
    assert old in GREEDY
    assert 0.9 < like(GREEDY, GREEDY.replace(old, new)) < 1.0


def test_layout_comments_docstrings_and_the_name_of_a_module_make_no_difference() -> None:
    same = GREEDY.replace('"""Greedy radii."""', '"""Other words."""').replace(
        "    placed = []", "    # so\n\n    placed = []"
    )
    same = same.replace("import math", "import math as m").replace("math.hypot", "m.hypot")
    assert like(GREEDY, same) > 0.995
    assert like(GREEDY, GREEDY.replace("placed = []", "placed  =  []  # none yet")) == 1.0


def test_the_order_of_statements_and_of_operands_makes_a_difference() -> None:
    assert like("a = 1\nb = f()\nc = [2]\n", "c = [2]\nb = f()\na = 1\n") < 1.0
    assert like("x = 1 - f(2)", "x = f(2) - 1") < 1.0


def test_only_what_may_change_counts() -> None:
    spec = TaskSpec(name="cut", objectives=(ObjectiveSpec(name="score"),))
    text = "def head():\n    return {head}\n# EVOLVE-BLOCK-START\nx = {body}\n# EVOLVE-BLOCK-END\n"
    one, head, body = (
        embed(program(text.format(head=a, body=b)), spec) for a, b in [(1, 1), (2, 1), (1, "sorted([3])")]
    )
    assert cosine(one, head) == 1.0
    assert cosine(one, body) < 0.9


def test_a_block_within_a_function_is_read_in_its_surroundings() -> None:
    spec = TaskSpec(name="cut", objectives=(ObjectiveSpec(name="score"),))
    text = "def f(a):\n    # EVOLVE-BLOCK-START\n    b = a * {x}\n    # EVOLVE-BLOCK-END\n    return b\n"
    one, other = (embed(program(text.format(x=x)), spec) for x in ("2", "2 + sum(a)"))
    assert 0 < cosine(one, other) < 0.95


@pytest.mark.parametrize(
    "source",
    [
        "",
        "def (",
        "\0",
        "(" * 3_000,
        "-" * 50_000 + "1",
        "x = " + "9" * 9_000,
        "\ud800",
        "x = '\\d'",
        "x =\r1\r\n\fy = 2",
    ],
)
def test_hostile_and_broken_programs_have_a_vector(source: str) -> None:
    vector = embed(program(source), SPEC)
    assert cosine(vector, vector) == (1.0 if vector.any() else 0.0)


@pytest.mark.parametrize(
    ("language", "source", "renamed", "changed"),
    [
        (
            "c",
            "int area(int w, int h) { /* w by h */ int a = w * h; return a; }",
            "int size(int x, int y) { int z = x * y;\n\n return z; } // product",
            "int area(int w, int h) { int a = 0; while (h--) a += w; return a; }",
        ),
        (
            "redcode",
            "start mov.i 0, 1 ; copy\n add.ab #4, start\n jmp start\n",
            "loop mov.i 0, 1\n add.ab #4, loop ; step\n jmp loop\n",
            "start spl 0\n mov.i bomb, @ptr\n djn.f start, <-20\n",
        ),
    ],
)
def test_other_languages_are_compared_by_their_tokens(
    language: str, source: str, renamed: str, changed: str
) -> None:
    assert like(source, renamed, language) == 1.0
    assert like(source, changed, language) < 0.85


def test_words_of_prose_are_what_they_say() -> None:
    assert like("Think step by step.", "Answer in one word.", "text") < 0.5
    assert like("Think step by step.", "Think step by step.", "text") == 1.0


def test_several_files_count_together() -> None:
    both = Program.of({"initial.py": SORT, "more.py": GREEDY})
    spec = SPEC.model_copy(
        update={"program": SPEC.program.model_copy(update={"files": ("initial.py", "more.py")})}
    )
    assert 0.3 < cosine(embed(both, spec), embed(program(SORT), SPEC)) < 0.95


def test_an_embedder_gives_the_same_vector_again() -> None:
    embedder = Embedder(SPEC)
    first = embedder.of(program(SORT))
    assert embedder.of(program(SORT)) is first
    assert cosine(first, embed(program(SORT), SPEC)) == 1.0


@given(
    st.lists(st.sampled_from(["a = 1", "b = a + 2", "c = f(b)", "d = [x for x in c]", "e = {}"]), max_size=12)
)
def test_a_cosine_is_the_same_from_both_sides_and_within_bounds(lines: list[str]) -> None:
    first, second = (embed(program("\n".join(some)), SPEC) for some in (lines, lines[::-1]))
    assert cosine(first, second) == cosine(second, first)
    assert -1.0 <= cosine(first, second) <= 1.0
