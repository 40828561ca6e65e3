"""Exact novelty: has this program been evaluated before?"""

from __future__ import annotations

import marshal
import sys
from collections import OrderedDict
from hashlib import blake2b
from types import CodeType

from typing_extensions import override

from speciate.novelty.base import NOVEL, NoveltyFilter, Screening, Verdict
from speciate.novelty.memory import Fingerprint, NoveltyMemory
from speciate.records import Program
from speciate.tasks import Canonical, compiled

_REMEMBERED = 4096
"""How many fingerprints are kept, about 300 bytes each: parents are compared with again and again."""

_PLAIN = 2  # the last version of marshal's format that does not depend on which equal objects are one

_SLICES = sys.version_info >= (3, 14)
"""Whether slices are constants; the plain format does not know them."""


def fingerprint(program: Program, language: str, canonical: Canonical | None = None) -> Fingerprint:
    """Returns the fingerprint of a program.

    Where the task says what alone decides a program's score, it is taken over that. Else, for Python, it is
    taken over the compiled code without positions, so that comments, blank lines, layout and redundant
    parentheses make no difference, and names and literals do; compiling takes half the time of dumping the
    syntax tree. Other languages, and what cannot be read either way, are taken letter by letter.
    It may differ between minor versions of Python: a run resumed under another one compares with what it
    proposes from then on.

    Args:
        program: the program.
        language: the task's language.
        canonical: the task's own reading of its programs (see `Task.canonical`), or None.
    """
    key = program.hash, language, canonical
    known = _known.get(key)
    if known is None:
        known = _known[key] = _taken(program, language, canonical)
        if len(_known) > _REMEMBERED:
            _known.popitem(last=False)
    _known.move_to_end(key)
    return known


_known: OrderedDict[tuple[str, str, Canonical | None], Fingerprint] = OrderedDict()


def _taken(program: Program, language: str, canonical: Canonical | None) -> Fingerprint:
    read = canonical(program) if canonical else None
    code = _python_code(program) if language == "python" and canonical is None else None
    if read is not None:
        content = f"read {read}".encode()
    else:
        content = f"text {program.hash}".encode() if code is None else b"code " + code
    return blake2b(content, digest_size=16).hexdigest()


def _python_code(program: Program) -> bytes | None:
    """Returns everything that decides what a Python program does; None where it does not compile."""
    try:
        return marshal.dumps([(name, _bare(compiled(text))) for name, text in program.files], _PLAIN)
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
        return None


def _bare(code: CodeType) -> CodeType:
    """Returns code that no longer says where it stood."""
    constants = tuple(map(_constant, code.co_consts))
    return code.replace(co_consts=constants, co_filename="", co_firstlineno=1, co_linetable=b"")


def _constant(value: object) -> object:
    match value:
        case CodeType():
            return _bare(value)
        case tuple() if _SLICES:
            return tuple(map(_constant, value))
        case slice():
            return ("slice", value.start, value.stop, value.step)
        case _:
            return value


class FingerprintFilter(NoveltyFilter):
    """Refuses programs whose fingerprint an earlier candidate of any island has.

    An equal program scores equally, wherever it would be placed; what another island has found reaches this
    one by migration.
    """

    def __init__(self, memory: NoveltyMemory, language: str, canonical: Canonical | None = None) -> None:
        """Reads `memory`; `language` and `canonical` are the task's."""
        self._memory = memory
        self._language = language
        self._canonical = canonical

    @override
    async def check(self, screening: Screening) -> Verdict:
        digest = self._fingerprint(screening.program)
        if screening.parent is not None and digest == self._fingerprint(screening.parent):
            message = "The new program does the same as the current one. Change what it computes."
            return Verdict(novel=False, reason="no_change", message=message)
        twin = self._memory.find(digest, before=screening.before)
        if twin is None:
            return NOVEL
        message = "This very program has been tried before. Try another idea."
        return Verdict(novel=False, reason="duplicate", message=message, nearest=twin)

    def _fingerprint(self, program: Program) -> Fingerprint:
        return fingerprint(program, self._language, self._canonical)
