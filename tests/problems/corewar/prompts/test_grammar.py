from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.errors import ConfigError
from speciate.problems.corewar.instructions import Instruction, Mode, Modifier, Opcode
from speciate.problems.corewar.prompts import redcode_grammar
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS, Settings
from speciate.testing.gbnf import draw_sentence, parse_grammar, pattern

DRQ = PRESETS["drq"]
instructions = st.builds(
    Instruction,
    st.sampled_from(Opcode),
    st.sampled_from(Modifier),
    st.sampled_from(Mode),
    st.integers(0, 7999),
    st.sampled_from(Mode),
    st.integers(0, 7999),
)


@given(
    rules=st.sampled_from(sorted(PRESETS)),
    labels=st.sampled_from([(), ("start",), ("loop", "bomb", "gate")]),
    remark=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
@settings(deadline=None, max_examples=300)
def test_every_sentence_assembles_strictly(
    rules: str, labels: Sequence[str], remark: bool, seed: int
) -> None:
    grammar = redcode_grammar(PRESETS[rules], labels=labels, remark=remark)
    sentence = draw_sentence(parse_grammar(grammar), np.random.default_rng(seed))
    warrior = assemble(sentence, PRESETS[rules])
    assert 1 <= len(warrior) <= PRESETS[rules].max_length
    assert len(warrior) == len(sentence.splitlines()) - sentence.startswith(";strategy")


@pytest.mark.parametrize("core_size", [1, 2, 10, 11, 8000, 65536])
def test_cores_of_any_size_have_a_grammar(core_size: int) -> None:
    rules = Settings(core_size=core_size, max_length=1, min_distance=1, processes=1)
    parsed = parse_grammar(redcode_grammar(rules))
    for seed in range(20):
        assemble(draw_sentence(parsed, np.random.default_rng(seed)), rules)
    assert pattern(parsed).fullmatch(f"JMP {core_size - 1}\n")


@given(st.lists(instructions, min_size=1, max_size=5))
@settings(deadline=None)
def test_every_instruction_can_be_said(code: list[Instruction]) -> None:
    accepts = pattern(parse_grammar(redcode_grammar(DRQ, 5)))
    text = "".join(instruction.text(8000).replace(",", ", ") + "\n" for instruction in code)
    assert accepts.fullmatch(text)


@pytest.mark.parametrize(
    "text",
    [
        "MOV 0\n",
        "NOP\n",
        "MOV 0, 1",
        "MOV 0 1\n",
        "MUV 0, 1\n",
        "MOV.C 0, 1\n",
        "MOV 0, 10000\n",
        "MOV 0, ptr\n",
        "",
        "Here is the warrior:\nMOV 0, 1\n",
        "MOV 0, 1\n" * 6,
    ],
)
def test_nothing_else_can_be_said(text: str) -> None:
    assert pattern(parse_grammar(redcode_grammar(DRQ, 5))).fullmatch(text) is None


def test_lines_are_bounded_by_the_rules_and_by_what_is_asked() -> None:
    for most, lines in ((None, 100), (12, 12), (1000, 100)):
        accepts = pattern(parse_grammar(redcode_grammar(DRQ, most)))
        assert accepts.fullmatch("JMP 0\n" * lines)
        assert not accepts.fullmatch("JMP 0\n" * (lines + 1))


def test_labels_are_each_borne_once_in_their_order() -> None:
    accepts = pattern(parse_grammar(redcode_grammar(DRQ, 9, labels=("loop", "bomb"))))
    assert accepts.fullmatch("loop ADD #4, bomb\nMOV bomb, @bomb-3\nJMP loop\nbomb DAT 0\n")
    assert not accepts.fullmatch("bomb DAT 0\nloop JMP bomb\n")
    assert not accepts.fullmatch("loop JMP bomb\n")


@pytest.mark.parametrize(
    ("lines", "labels"), [(0, ()), (2, ("a1", "b1", "c1")), (5, ("mov",)), (5, ("x y",)), (5, ("aa", "aa"))]
)
def test_grammars_that_cannot_be_are_refused(lines: int, labels: Sequence[str]) -> None:
    with pytest.raises(ConfigError):
        redcode_grammar(DRQ, lines, labels=labels)
