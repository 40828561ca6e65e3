"""The wordings of the system prompt: a fold that knows who was shown which, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from speciate.bandits import UCBBandit
from speciate.records import ORIGINAL_WORDING, Choice, Ordinal, Placed, Reworded
from speciate.reflection import Agenda, Tried, improves
from speciate.wordings.config import WordingsConfig
from speciate.wordings.prompts import load_prompt


@dataclass(slots=True)
class Wording(Tried):
    """One wording and what came of it; its control are candidates of the same time with the task's own.

    Attributes:
        parent: the wording it was made from, or None for the task's own.
        summary: one line from its maker on what is different, or an empty string.
        retired: whether it has made room for another.
        failures: candidates made with it that have no score, with why.
    """

    parent: int | None = None
    summary: str = ""
    retired: bool = False
    failures: list[tuple[Ordinal, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What was known of a wording when an update became due.

    Attributes:
        number: the wording.
        children: how many of its candidates had ended.
        failures: how many of these had no score.
        control: how many candidates of the same time with the task's own wording had ended.
        control_improved: how many of these had improved.
        share: the chance that it is the one to be varied.
    """

    number: int
    children: int
    failures: int
    control: int
    control_improved: int
    share: float


class Wordings(Agenda):
    """All wordings there ever were, by number; those that stand are arms of a bandit.

    Credit belongs to the ordinal: a candidate is a pull of its wording when it is chosen, and a reward when
    it is placed. A wording that is retired keeps what it knows and is shown to nobody new.

    Attributes:
        all: every wording, by number; `ORIGINAL_WORDING` is the task's own.
        bandit: which wording pays.
    """

    def __init__(self, config: WordingsConfig, original: str) -> None:
        """Begins with the task's own wording alone.

        Args:
            config: settings.
            original: the text of the task's own system prompt.
        """
        super().__init__(config.interval)
        self._config = config
        self.all: dict[int, Wording] = {ORIGINAL_WORDING: Wording(ORIGINAL_WORDING, original, born=0)}
        self.bandit = UCBBandit(
            [_arm(ORIGINAL_WORDING)], coefficient=config.exploration, scale=config.reward_scale
        )
        self._issued: Ordinal = 0
        self._open: dict[Ordinal, int] = {}
        self._proposed: set[Ordinal] = set()
        self._scenes: dict[int, tuple[Glimpse, ...]] = {}

    @property
    def standing(self) -> tuple[Wording, ...]:
        """The wordings that are shown, by number."""
        return tuple(one for one in self.all.values() if not one.retired)

    @property
    def limit(self) -> int:
        """Longest wording, in characters."""
        return max(self._config.most_chars, len(self.all[ORIGINAL_WORDING].text))

    def text(self, number: int | None) -> str:
        """Returns what a system prompt begins with instead of the task's own; empty for the task's own.

        What a model made is followed by what must hold whatever it made.
        """
        if number is None or number == ORIGINAL_WORDING:
            return ""
        return f"{self.all[number].text}\n\n{load_prompt('keep').render({})}"

    def draw(self, rng: np.random.Generator) -> int:
        """Draws the wording for the next candidate. Changes nothing; `chosen` follows."""
        return int(self.bandit.pick(rng))

    def chosen(self, choice: Choice) -> None:
        """Takes note of a candidate."""
        self._issued = max(self._issued, choice.ordinal + 1)
        if choice.planted:
            return
        self._proposed.add(choice.ordinal)
        if choice.wording is not None:
            self._open[choice.ordinal] = choice.wording
            self.bandit.pulled(_arm(choice.wording), choice.ordinal)

    def placed(self, event: Placed, best: Ordinal | None, failure: str | None) -> None:
        """Takes note of how a candidate ended; those that nobody proposed do not count.

        Args:
            event: its placement.
            best: the best candidate after it, or None.
            failure: why it has no score, in a word; None if it has one.
        """
        if event.part or event.ordinal not in self._proposed:
            return
        self._proposed.discard(event.ordinal)
        number = self._open.pop(event.ordinal, None)
        if number is not None:
            self._credit(number, event.ordinal, event.gain, failure)
        job = self.count(event.ordinal, best)
        if job is not None:
            self._scenes[job.number] = self._scene()

    def _credit(self, number: int, ordinal: Ordinal, gain: float | None, failure: str | None) -> None:
        self.bandit.reward(ordinal, gain)
        one = self.all[number]
        one.credit(ordinal, gain)
        if failure is not None:
            one.failures.append((ordinal, failure))
        if number == ORIGINAL_WORDING:
            for other in self.standing:
                if other.number != ORIGINAL_WORDING and ordinal >= other.born:
                    other.control = other.control.add(improves(gain))

    def _scene(self) -> tuple[Glimpse, ...]:
        shares = dict(zip(self.bandit.arms, self.bandit.probabilities(), strict=True))
        return tuple(
            Glimpse(
                one.number,
                len(one.children),
                len(one.failures),
                one.control.ended,
                one.control.improved,
                float(shares[_arm(one.number)]),
            )
            for one in self.standing
        )

    def scene(self, update: int) -> tuple[Glimpse, ...]:
        """Returns what was known of the standing wordings when an update became due, by number."""
        return self._scenes[update]

    def has_room(self, scene: Sequence[Glimpse]) -> bool:
        """Says whether a new wording would have found a place then."""
        tried = (one.children >= self._config.trial for one in scene if one.number != ORIGINAL_WORDING)
        return len(scene) < self._config.size or any(tried)

    def leaving(self) -> int | None:
        """Says which wording would make room for another now; None while there is room. Changes nothing.

        It is the one with the lowest lower confidence bound among those whose trial is over, the newest of
        several. The task's own never leaves: what the others are worth is measured against it.
        """
        if len(self.standing) < self._config.size:
            return None
        lower = dict(zip(self.bandit.arms, self.bandit.lower, strict=True))
        tried = [
            one.number
            for one in self.standing
            if one.number != ORIGINAL_WORDING and one.trials.ended >= self._config.trial
        ]
        return min(tried, key=lambda number: (lower[_arm(number)], -number), default=None)

    def next_number(self) -> int:
        """Returns the number that the next wording gets."""
        return max(self.all) + 1

    def known(self) -> Mapping[str, int]:
        """Returns the number of every wording there ever was, by text with its blanks and cases levelled."""
        return {levelled(one.text): one.number for one in self.all.values()}

    def reworded(self, event: Reworded) -> None:
        """Does what an update says; decides nothing."""
        self._scenes.pop(event.update, None)
        self.end(event.update, failed=event.error is not None)
        if event.retired is not None:
            self.all[event.retired].retired = True
        if event.number is not None:
            self.all[event.number] = Wording(
                event.number, event.text, self._issued, parent=event.parent, summary=event.summary
            )
        self.bandit.rearm([_arm(one.number) for one in self.standing])


def levelled(text: str) -> str:
    """Returns a text by which wordings are equal that differ in blanks and cases alone."""
    return " ".join(text.lower().split())


def _arm(number: int) -> str:
    return str(number)
