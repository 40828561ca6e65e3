"""Exact novelty: has this program been evaluated before?"""

from __future__ import annotations

import warnings
from functools import lru_cache
from hashlib import blake2b
from types import CodeType

from typing_extensions import override

from speciate.novelty.base import NOVEL, NoveltyFilter, Screening, Verdict
from speciate.novelty.memory import Fingerprint, NoveltyMemory
from speciate.records import Program


@lru_cache(maxsize=64)
def fingerprint(program: Program, language: str) -> Fingerprint:
    """Returns the fingerprint of a program.

    For Python it is taken over the compiled code without positions, so that comments, blank lines, layout and
    redundant parentheses make no difference, and names and literals do. Compiling takes half the time of
    dumping the syntax tree. Other languages, and Python that does not compile, are taken letter by letter.
    It may differ between minor versions of Python: a run resumed under another one compares with what it
    proposes from then on.

    Args:
        program: the program.
        language: the task's language.
    """
    code = _python_code(program) if language == "python" else None
    content = ("text", program.hash) if code is None else ("code", *code)
    return blake2b(repr(content).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _python_code(program: Program) -> list[object] | None:
    described: list[object] = []
    for name, text in program.files:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # doubtful escapes are the candidate's affair
                code = compile(text, name, "exec", dont_inherit=True)
            described += [name, *_describe(code)]
        except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
            return None
    return described


def _describe(code: CodeType) -> list[object]:
    """Everything that decides what `code` does, nothing that says where it stood."""
    numbers = [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags]
    names = [code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars]
    return [*numbers, *names, code.co_code, code.co_exceptiontable, [_constant(c) for c in code.co_consts]]


def _constant(value: object) -> object:
    match value:
        case CodeType():
            return _describe(value)
        case frozenset():
            return ("set", sorted(repr(_constant(item)) for item in value))  # its order depends on hashes
        case tuple():
            return tuple(_constant(item) for item in value)
        case _:
            return value  # its repr tells 1, 1.0, True and "1" apart


class FingerprintFilter(NoveltyFilter):
    """Refuses programs whose fingerprint an earlier candidate of any island has.

    An equal program scores equally, wherever it would be placed; what another island has found reaches this
    one by migration.
    """

    def __init__(self, memory: NoveltyMemory, language: str) -> None:
        """Reads `memory`; `language` is the task's."""
        self._memory = memory
        self._language = language

    @override
    async def check(self, screening: Screening) -> Verdict:
        digest = fingerprint(screening.program, self._language)
        if screening.parent is not None and digest == fingerprint(screening.parent, self._language):
            message = "The new program does the same as the current one. Change what it computes."
            return Verdict(novel=False, reason="no_change", message=message)
        twin = self._memory.find(digest, before=screening.before)
        if twin is None:
            return NOVEL
        message = "This very program has been tried before. Try another idea."
        return Verdict(novel=False, reason="duplicate", message=message, nearest=twin)
