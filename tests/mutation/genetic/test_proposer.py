import ast
import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.errors import ConfigError
from speciate.mutation import Proposer
from speciate.mutation.genetic import GeneticConfig, GeneticProposer
from speciate.records import Entry, Outcome, Program, Proposal, Rejected, Result
from speciate.tasks import ObjectiveSpec, Task, TaskSpec
from speciate.tasks.regions import segments
from speciate.testing.proposers import ProposerContract, make_assignment

OUTCOME = Outcome(result=Result((1.0,)))


def task_of(text: str, *, name: str = "initial.py", language: str = "python") -> Task:
    spec = TaskSpec.model_validate(
        {
            "name": "t",
            "language": language,
            "objectives": [ObjectiveSpec(name="s")],
            "program": {"files": [name]},
        }
    )
    return Task(spec, Program.of({name: text}))


def propose(
    task: Task,
    *texts: str,
    operator: str = "mutate",
    seed: int = 0,
    config: GeneticConfig | None = None,
    traits: dict[str, float] | None = None,
) -> Proposal | Rejected:
    name = task.initial.entry
    parents = [
        Entry(k, Program.of({name: text}), OUTCOME, traits or {})
        for k, text in enumerate(texts or (task.initial.source,))
    ]
    assignment = make_assignment(task, operator=operator, parents=parents, seed=seed)
    return asyncio.run(GeneticProposer(config).propose(assignment))


class TestContract(ProposerContract):
    def make_proposer(self) -> Proposer:
        return GeneticProposer()


# --- generated programs -------------------------------------------------------------------------------

_NAMES = st.sampled_from(["a", "b", "cé", "data"])
_NUMBERS = st.one_of(
    st.integers(-5, 10**6).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["1e999", "1" + "0" * 400, "5e-324", "1_000", "0xff", "2j"]),
)
_EXPRESSIONS: st.SearchStrategy[str] = st.recursive(
    st.one_of(_NAMES, _NUMBERS, st.just("f'{a:.2f} {b}'"), st.just('"é # \'"')),
    lambda inner: st.one_of(
        st.builds(
            "({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "**", "<", "and", "if a else"]), inner
        ),
        st.builds("[{}, {},  # kept\n {}]".format, inner, inner, inner),
        st.builds("max({}, {})".format, inner, inner),
        st.builds("[x * {} for x in ({},)]".format, inner, inner),
        st.builds("(lambda x: {})".format, inner),
        st.builds("{{1: {}}}".format, inner),
        st.builds("data[{}]".format, inner),
        st.builds("-{}".format, inner),
        st.builds("{}, {}".format, inner, inner).map("({})".format),
    ),
    max_leaves=6,
)
_SIMPLE = st.one_of(
    st.builds("{} = {}".format, _NAMES, _EXPRESSIONS),
    st.builds("{} += {}".format, _NAMES, _EXPRESSIONS),
    st.builds("print({})".format, _EXPRESSIONS),
    st.builds("{}; a = 1".format, _EXPRESSIONS),
    st.just("# a comment"),
    st.just("pass"),
)


def _nested(head: str, body: list[str]) -> str:
    return "\n".join([head, *("    " + line for text in [*body, "pass"] for line in text.split("\n"))])


_STATEMENTS: st.SearchStrategy[str] = st.recursive(
    _SIMPLE,
    lambda inner: st.builds(
        _nested,
        st.sampled_from(["for a in range(1, 9):", "if a < 3:", "def f(a, b=2):", "while a:", "class K:"]),
        st.lists(inner, max_size=3),
    ),
    max_leaves=5,
)
PROGRAMS = st.builds(
    "import math\nfixed = 1.5\n# EVOLVE-BLOCK-START\n{}\n# EVOLVE-BLOCK-END\nend = [1, 2]{}".format,
    st.lists(_STATEMENTS, min_size=1, max_size=4).map("\n".join),
    st.sampled_from(["", "\n"]),
)


def outside(text: str) -> list[str]:
    return [segment.text for segment in segments(text, "python") if not segment.mutable]


@given(program=PROGRAMS, seed=st.integers(0, 2**32), crlf=st.booleans(), crossed=st.booleans())
@settings(max_examples=150, deadline=None)
def test_whatever_comes_out_parses_and_keeps_the_rest(
    program: str, seed: int, crlf: bool, crossed: bool
) -> None:
    text = program.replace("\n", "\r\n") if crlf else program
    task = task_of(text)
    partner = text.replace("1", "7").replace("max", "min")
    made = propose(task, text, partner, operator="crossover" if crossed else "mutate", seed=seed)
    if isinstance(made, Rejected):
        assert made.reason in {"no_change", "unparsable", "no_partner", "too_large"}
        return
    changed = made.program.source
    ast.parse(changed)
    assert changed != text
    assert outside(changed) == outside(text)
    assert 1e-6 <= made.traits["step"] <= 1.0


REGION = "# EVOLVE-BLOCK-START\n{}\n# EVOLVE-BLOCK-END\n"
SMALL = REGION.format(
    "def f(x):\n    y = 2.5 * x  # keep me\n    return y + 3\n\n\nPOINTS = [(0.1, 0.2), (0.3, 0.4)]"
)


def test_comments_and_layout_survive() -> None:
    kept = sum("# keep me" in made.program.source for made in many(SMALL) if isinstance(made, Proposal))
    assert kept > 80


def many(
    text: str, count: int = 100, *partners: str, operator: str = "mutate"
) -> Sequence[Proposal | Rejected]:
    task = task_of(text)
    return [propose(task, text, *partners, operator=operator, seed=seed) for seed in range(count)]


def test_different_seeds_give_different_programs() -> None:
    assert len({made.program.hash for made in many(SMALL) if isinstance(made, Proposal)}) > 60


def test_crossover_without_a_second_program_is_rejected() -> None:
    made = propose(task_of(SMALL), SMALL, SMALL, operator="crossover")
    assert isinstance(made, Rejected)
    assert made.reason == "no_partner"


def test_a_parent_that_is_not_python_is_rejected() -> None:
    broken = REGION.format("def f(:\n    1")
    made = propose(task_of(broken))
    assert isinstance(made, Rejected)
    assert made.reason == "unparsable"


def test_an_empty_region_has_nothing_to_change() -> None:
    made = propose(task_of(REGION.format("# nothing here")))
    assert isinstance(made, Rejected)
    assert made.reason == "no_change"


def test_an_operator_it_does_not_have_stops_the_run() -> None:
    with pytest.raises(ConfigError, match="diff"):
        propose(task_of(SMALL), operator="diff")


def test_programs_do_not_grow_without_bound() -> None:
    task, text = task_of(SMALL), SMALL
    config = GeneticConfig(structure=1.0, largest=1.5)
    for seed in range(300):
        made = propose(task, text, seed=seed, config=config)
        text = made.program.source if isinstance(made, Proposal) else text
        assert len(text) <= 1.5 * len(SMALL) + 512


def test_the_step_is_inherited() -> None:
    made = [propose(task_of(SMALL), seed=s, traits={"step": 1e-4}) for s in range(40)]
    steps = sorted(m.traits["step"] for m in made if isinstance(m, Proposal))
    assert 2e-5 < steps[len(steps) // 2] < 2e-3
    assert steps[0] < steps[-1]


@pytest.mark.parametrize("bad", [float("nan"), -1.0, 1e9])
def test_senseless_traits_are_brought_within_bounds(bad: float) -> None:
    made = propose(task_of(SMALL), traits={"step": bad})
    assert isinstance(made, Proposal)
    assert 1e-6 <= made.traits["step"] <= 1.0


def test_a_plain_climb_fits_constants() -> None:
    def error(source: str) -> float:
        variables: dict[str, list[float]] = {}
        exec(source, variables)
        return sum(abs(a - b) for a, b in zip(variables["T"], [0.7, -3.2, 12.5], strict=True))

    text = REGION.format("T = [1.0, 1.0, 1.0]")
    task, traits, config = task_of(text), {"step": 0.5}, GeneticConfig(structure=0)
    for seed in range(600):
        made = propose(task, text, seed=seed, config=config, traits=traits)
        if isinstance(made, Proposal) and error(made.program.source) < error(text):
            text, traits = made.program.source, dict(made.traits)
    assert error(text) < 0.01


C_CODE = """#include <math.h>
static const double LIMIT = 9.5;
// EVOLVE-BLOCK-START
/* 1 + 1 in a comment */
double area(double r) {
    double half = r * 0.5;
    double weights[4] = {0.1, -0.2, 0.3, 0.4};
    const char *name = "1 < 2";
    half += weights[2];
    return 3.14 * half * half - 2; // 7
}
// EVOLVE-BLOCK-END
int main(void) { return 0; }
"""


def test_c_is_changed_by_lines() -> None:
    task = task_of(C_CODE, name="main.c", language="c")
    made = [m for s in range(200) if isinstance(m := propose(task, seed=s), Proposal)]
    assert len(made) > 190
    for proposal in made:
        parts = segments(proposal.program.source, "c")
        assert [p.text for p in parts if not p.mutable] == [
            p.text for p in segments(C_CODE, "c") if not p.mutable
        ]
        inner = "".join(p.text for p in parts if p.mutable)
        assert inner.count("{") == inner.count("}")
        assert "/* 1 + 1 in a comment */" in inner
    assert {m.summary.split(":")[0] for m in made} >= {"numbers", "symbol", "swapped", "deleted", "copied"}


def test_two_c_programs_exchange_constants_and_lines() -> None:
    task = task_of(C_CODE, name="main.c", language="c")
    other = C_CODE.replace("0.1, -0.2", "0.8, 0.9").replace("r * 0.5", "r / 2.0")
    made = [propose(task, C_CODE, other, operator="crossover", seed=s) for s in range(60)]
    texts = "".join(m.program.source for m in made if isinstance(m, Proposal))
    assert "0.8" in texts
    assert "r / 2.0" in texts
