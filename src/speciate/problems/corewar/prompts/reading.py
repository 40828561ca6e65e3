"""Finds the warrior in a model's reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from speciate.patches import fences
from speciate.problems.corewar.redcode import RedcodeError, assemble
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior
from speciate.tasks import Reading, ReadReply

_MOST_BLOCKS: Final = 8
_SUMMARY_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class _Found:
    """A text that assembles, and the warrior that it makes."""

    text: str
    warrior: Warrior


def warrior_reader(settings: Settings) -> ReadReply:
    """Returns what reads replies of models: the longest fenced block that assembles, else the reply itself.

    What assembles as it stands is kept as the model wrote it. Where nothing does, the assembler's lenient
    dialect is tried; what it had to mend is in the notes, and the program is then its load file, which
    assembles everywhere.

    Args:
        settings: the rules that the warrior must assemble under.
    """

    def read(reply: str) -> Reading:
        texts = _texts(reply)
        found = _longest(texts, settings)
        if found is not None:
            return Reading(found.text, _summary(found.warrior))
        return _mended(max(texts, key=len), settings)

    return read


def _texts(reply: str) -> Sequence[str]:
    """Returns what may be the program: the last fenced blocks, or the whole reply if there is none."""
    blocks = [fence.text for fence in fences(reply) if fence.text.strip()]
    return blocks[-_MOST_BLOCKS:] or [reply.strip("\n") + "\n"]


def _longest(texts: Sequence[str], settings: Settings) -> _Found | None:
    """Returns the text with most instructions among those that assemble, the last of several."""
    best: _Found | None = None
    for text in texts:
        try:
            warrior = assemble(text, settings)
        except RedcodeError:
            continue
        if best is None or len(warrior) >= len(best.warrior):
            best = _Found(text, warrior)
    return best


def _mended(text: str, settings: Settings) -> Reading:
    """Reads a text leniently.

    Raises:
        RedcodeError: not even that helps.
    """
    warrior = assemble(text, settings, dialect="lenient")
    summary = _summary(warrior)
    remark = f";strategy {summary}\n" if summary else ""
    program = remark + warrior.listing()
    usual = assemble(program, settings).notes  # what is said of any load file is no repair
    return Reading(program, summary, tuple(note for note in warrior.notes if note not in usual))


def _summary(warrior: Warrior) -> str:
    """Returns what ``;strategy`` says, on one bounded line."""
    said = " ".join(line.strip() for line in warrior.strategy if line.strip())
    return "".join(filter(str.isprintable, said))[:_SUMMARY_CHARACTERS]
