from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from speciate.problems.corewar.redcode.lexer import tokenise


@given(st.text())
def test_columns_point_at_the_words(text: str) -> None:
    for token in tokenise(text):
        assert text[token.column - 1] == token.text[0]


@given(st.text())
def test_nothing_but_blanks_and_the_comment_is_lost(text: str) -> None:
    code = "".join(each for each in text.partition(";")[0] if each not in string.whitespace)
    assert "".join(token.text for token in tokenise(text)) == code


def test_an_ampersand_joins_only_names_that_touch_it() -> None:
    assert [token.kind for token in tokenise("l&i l & i 5&&i")] == [
        "name", "join", "name", "name", "bad", "name", "digits", "op", "name",
    ]  # fmt: skip
