from __future__ import annotations

import pytest

from speciate.tasks import Token, language, source_tokens


def test_a_source_is_numbers_texts_words_and_signs() -> None:
    tokens = list(source_tokens('x1 = .5e3 - f("a # b")  # 7', language("python")))
    assert tokens == [
        Token("word", "x1"),
        Token("sign", "="),
        Token("number", ".5e3"),
        Token("sign", "-"),
        Token("word", "f"),
        Token("sign", "("),
        Token("text", '"a # b"'),
        Token("sign", ")"),
    ]


@pytest.mark.parametrize(
    ("spoken", "text"),
    [
        ("python", "a // 2 # b"),
        ("c", "a /* one\n// two */ // 2"),
        ("redcode", "mov # 4 ; 2"),
    ],
)
def test_comments_are_those_of_the_language(spoken: str, text: str) -> None:
    kept = {"python": "a//2", "c": "a", "redcode": "mov#4"}[spoken]
    assert "".join(token.text for token in source_tokens(text, language(spoken))) == kept
