"""What a program in any language does, as runs of tokens, whatever its names are."""

from __future__ import annotations

from typing import Final

from speciate.novelty.hashing import joined, label
from speciate.tasks import Language, Token, source_tokens

LONGEST = 4
"""Most tokens of a run."""

_PROSE: Final = frozenset({"text", "markdown", "latex", "html", "json", "yaml", "toml"})
"""Languages whose words are what they say."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RESERVED: Final = _words(
    """
    abstract and any array as assert async await begin bool boolean break byte call case cast catch char class
    collect const constexpr continue debug def default defer define del delete dim do double elif else elseif
    elsif end enddo endif ensure enum esac except exit export extends extern false fi final finally float fn
    for foreach from func function global go goto i16 i32 i64 i8 if impl implements import in include inline
    instanceof int integer interface intent is isize lambda let local long loop map match mod module mut
    namespace native new nil none not null of operator or override package parallel parfor pass pragma print
    private procedure program protected pub public raise range real rec record repeat require return select
    self shared short sizeof static struct subroutine super switch template then this throw throws trait true
    try type typedef typename typeof u16 u32 u64 u8 union unless unsafe unsigned until use using usize val var
    vector virtual void volatile when where while with yield
    """
)
"""Words that mean the same in every program of the common languages."""

_REDCODE: Final = _words(
    "dat mov add sub mul div mod jmp jmz jmn djn spl slt cmp seq sne nop ldp stp org equ end for rof pin "
    "a b ab ba f x i"
)
"""Instructions and modifiers of Redcode."""


def token_runs(text: str, spoken: Language) -> list[int]:
    """Returns the features of a source: runs of one to four tokens.

    Comments and layout say nothing. Numbers, texts, signs and reserved words are kept; all other words are
    names, and one is like the other. Words of prose and of data are kept.

    Args:
        text: the source.
        spoken: its language, for its comments.
    """
    reserved = _REDCODE if spoken.name == "redcode" else _RESERVED
    kept = None if spoken.name in _PROSE else reserved
    features: list[int] = []
    runs: list[int] = []
    for token in source_tokens(text, spoken):
        one = label(_saying(token, kept))
        runs = [one, *(joined(run, one) for run in runs[: LONGEST - 1])]
        features += runs
    return features


def _saying(token: Token, kept: frozenset[str] | None) -> str:
    if token.kind != "word" or kept is None:
        return token.text
    low = token.text.lower()
    return low if low in kept else "name"
