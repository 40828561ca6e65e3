from __future__ import annotations

import numpy as np
import pytest

from speciate.testing.gbnf import draw_sentence, parse_grammar, pattern

GRAMMAR = r"""
# a comment
root ::= greeting (" " name){1,3} [!?]? | "\"\\" digit+
greeting ::= "hello" | "good " ("day" | "night")
name ::= [A-C] [a-c\]]*
digit ::= [0-9]
"""


def test_every_sentence_that_is_drawn_is_accepted() -> None:
    grammar = parse_grammar(GRAMMAR)
    drawn = {draw_sentence(grammar, np.random.default_rng(seed)) for seed in range(300)}
    assert all(pattern(grammar).fullmatch(sentence) for sentence in drawn)
    assert len(drawn) > 200


def test_sentences_are_told_from_others() -> None:
    accepts = pattern(parse_grammar(GRAMMAR))
    for sentence in ("hello A", "good night Ba] Cc!", '"\\12'):
        assert accepts.fullmatch(sentence)
    for other in ("hello", "hello D", "good day A B C A", "hello A!!", '"\\', ""):
        assert not accepts.fullmatch(other)


@pytest.mark.parametrize(
    "text",
    [
        'start ::= "a"',
        "root ::= other",
        'root ::= ("a"',
        'root ::= "a" )',
        "root ::= ? ",
        "root ::= [^a]",
        'root ::= "open',
        "root = x",
        'root ::= "a"\nroot ::= "b"',
    ],
)
def test_texts_that_are_no_grammar_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_grammar(text)
