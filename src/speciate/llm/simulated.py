"""Made-up models for trying plumbing and policy without a key, a server or money.

A simulated character sees the text of the prompt and nothing else: it finds the current program in it, makes
edits after its habits and answers in the form it was asked for, with its own kinds of mistakes. It knows no
task, no score and no solution. Results on simulated characters test the machinery, not models.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from speciate.llm.base import LLM
from speciate.llm.catalog import Price, priced
from speciate.llm.characters import Character, character
from speciate.llm.habits import Hunk, apply, edit
from speciate.llm.remarks import remarks, wants_remarks
from speciate.llm.tokens import about
from speciate.records import Reply, Request, Role, Usage, fence_for
from speciate.seeds import stream

_FENCE = re.compile(
    r"^(?P<label>file: [^\n]*\n)?(?P<fence>`{3,}|~{3,})(?P<tag>[^\n`]*)\n(?P<text>.*?)^(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_CURRENT = re.compile(r"^#+\s*current (?:program|wording)\b", re.IGNORECASE | re.MULTILINE)
_CHATTER = (
    "Let me look at what the program does first.",
    "I had a close look at the numbers.",
    "There is more than one way to go on from here.",
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A program as a prompt shows it.

    Attributes:
        tag: what stands behind the opening fence, usually the language.
        text: the program.
        label: the line ``file: NAME`` above the fence with its line end, or an empty string.
    """

    tag: str
    text: str
    label: str = ""


class SimulatedLLM(LLM):
    """A character behind a spec. The same request and repeat always get the same answer."""

    def __init__(self, spec: str, name: str, *, price: Price | None, wait: bool) -> None:
        """Takes a known character's name; `wait` says whether to really wait as long as it declares."""
        self.spec = spec
        self._name = name
        self._character = character(name)
        self._price = price
        self._wait = wait

    async def complete(self, request: Request, *, repeat: int = 0) -> Reply:
        """See `LLM`. `seconds` is what the character declares, waited for or not."""
        rng = stream(int(request.hash[:15], 16), repeat, f"simulated:{self._name}")
        prompt = "\n".join(message.text for message in request.messages)
        who = self._character
        if isinstance(who, Character):
            text, finish = _cut(_answer(request, who, rng), request, rng, early=who.cut)
        else:
            text, finish = _cut(who.answer(request, rng), request, rng, early=0.0)
        seconds = who.latency * math.exp(who.spread * rng.standard_normal())
        if self._wait:
            await asyncio.sleep(seconds)
        usage = priced(Usage(1, about(prompt), about(text)), self._price)
        sent = {"max_tokens": request.sampling.max_tokens}
        return Reply(text, self.spec, usage, finish=finish, sent=sent, seconds=seconds)


def find_program(request: Request) -> Shown | None:
    """Returns the program a prompt is about, or None.

    That is the first fenced block with a language after the last heading "Current program" (feedback may
    stand before it, in a fence without one), else the longest fenced block; where the user shows none, the
    longest of the system message, which may hold an example of the language.
    """
    shown = _shown(request, "user")
    return _shown(request, "system") if shown is None else shown


def _shown(request: Request, role: Role) -> Shown | None:
    text = "\n\n".join(message.text for message in request.messages if message.role == role)
    headings = [heading.end() for heading in _CURRENT.finditer(text)]
    blocks = [
        Shown(block["tag"].strip(), block["text"], block["label"] or "")
        for block in _FENCE.finditer(text, headings[-1] if headings else 0)
    ]
    tagged = [block for block in blocks if block.tag]
    if headings and tagged:
        return tagged[0]
    return max(blocks, key=lambda block: len(block.text), default=None)


def wants_diff(request: Request) -> bool:
    """Says whether the prompt asks for SEARCH/REPLACE blocks rather than a whole program."""
    told = [message.text for message in request.messages if message.role != "assistant"]
    return any("<<<<<<< SEARCH" in text for text in told) or any(
        "SEARCH/REPLACE" in text for text in told[-1:]
    )


def _answer(request: Request, character: Character, rng: np.random.Generator) -> str:
    if wants_remarks(request):
        return remarks(request, rng)
    shown = find_program(request)
    if shown is None:
        return "Summary: I was shown no program, so there is nothing to change.\n"
    lines = shown.text.splitlines()
    hunks = edit(lines, _free(lines), character, rng)
    form = _diff if wants_diff(request) else _whole
    body = form(shown, hunks, character, rng)
    chatter = f"{_CHATTER[int(rng.integers(len(_CHATTER)))]}\n\n" if rng.random() < character.chatter else ""
    return f"{chatter}Summary: {len(hunks)} edits by habit.\n\n{body}"


def _free(lines: Sequence[str]) -> list[int]:
    """Returns the indices of lines inside EVOLVE-BLOCK markers, or of all lines when there are none."""
    if not any("EVOLVE-BLOCK-START" in line for line in lines):
        return list(range(len(lines)))
    free: list[int] = []
    inside = False
    for at, line in enumerate(lines):
        if "EVOLVE-BLOCK-END" in line:
            inside = False
        if inside:
            free.append(at)
        if "EVOLVE-BLOCK-START" in line:
            inside = True
    return free


def _diff(shown: Shown, hunks: Sequence[Hunk], character: Character, rng: np.random.Generator) -> str:
    lines = shown.text.splitlines()
    free = _free(lines)
    done = 0
    blocks: list[str] = []
    for hunk in hunks:
        wide = _widened(hunk, lines, free)
        if wide.start >= done:  # widening may run into the edit above, which has changed that text already
            blocks.append(shown.label + _block(wide, lines, character, rng))
            done = wide.stop
    return "\n".join(blocks)


def _block(hunk: Hunk, lines: Sequence[str], character: Character, rng: np.random.Generator) -> str:
    search = list(lines[hunk.start : hunk.stop])
    if rng.random() < character.misquoted:
        at = int(rng.integers(len(search)))
        search[at] = search[at].replace(" ", "") + "  # as it was"
    middle = [] if rng.random() < character.malformed else ["======="]
    return "\n".join(["<<<<<<< SEARCH", *search, *middle, *hunk.lines, ">>>>>>> REPLACE", ""])


def _widened(hunk: Hunk, lines: Sequence[str], free: Sequence[int]) -> Hunk:
    """Returns the hunk with free lines added around it until the text it replaces occurs once."""
    start, stop = hunk.start, hunk.stop
    new = list(hunk.lines)
    inside = set(free)
    while _occurrences(lines[start:stop], lines) > 1:
        if start - 1 in inside:
            start -= 1
            new.insert(0, lines[start])
        elif stop in inside:
            new.append(lines[stop])
            stop += 1
        else:
            break
    return Hunk(start, stop, tuple(new))


def _occurrences(part: Sequence[str], lines: Sequence[str]) -> int:
    size = len(part)
    return sum(list(part) == list(lines[i : i + size]) for i in range(len(lines) - size + 1))


def _whole(shown: Shown, hunks: Sequence[Hunk], character: Character, rng: np.random.Generator) -> str:
    text = "\n".join(apply(shown.text.splitlines(), hunks))
    fence = fence_for(text)
    end = "" if rng.random() < character.malformed else f"{fence}\n"
    return f"{shown.label}{fence}{shown.tag}\n{text}\n{end}"


def _cut(text: str, request: Request, rng: np.random.Generator, *, early: float) -> tuple[str, str]:
    """Returns the answer as far as it gets, and why it ends: ``"stop"`` or ``"length"``.

    Args:
        text: the whole answer.
        request: what it answers.
        rng: stream of the call.
        early: probability that it stops in the middle.
    """
    limit = 4 * request.sampling.max_tokens  # `about` counts four bytes a token
    if rng.random() < early:
        limit = min(limit, len(text) // 2)
    return (
        (text, "stop")
        if len(text.encode()) <= limit
        else (text.encode()[:limit].decode(errors="ignore"), "length")
    )
