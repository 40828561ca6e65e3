"""One update: a question to a model, and what it changes. Asking and deciding are two steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from speciate.records import ORIGINAL_WORDING, Ordinal, Reworded
from speciate.reflection import (
    Asker,
    Bounds,
    Job,
    Story,
    Trials,
    UnreadableError,
    fenced,
    improves,
    tell,
)
from speciate.seeds import draw_index
from speciate.wordings.archive import Glimpse, Wording, Wordings, levelled
from speciate.wordings.config import WordingsConfig
from speciate.wordings.prompts import load_prompt
from speciate.wordings.reading import NewWording, read_wording

REMEMBERED = 100
"""So many of a wording's last candidates are looked at for examples."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model answered, as far as it could be read.

    Attributes:
        parent: number of the wording that was to be varied.
        made: the new wording, or None.
        error: why there is none, or None.
    """

    parent: int
    made: NewWording | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Reworder(Asker):
    """Who varies the wordings.

    Attributes:
        config: settings.
    """

    config: WordingsConfig

    async def draft(
        self, job: Job, wordings: Wordings, stories: Callable[[Sequence[Ordinal]], Sequence[Story]]
    ) -> Draft:
        """Chooses a wording and asks for a variant of it. Nothing is changed.

        What is told rests on what was known when the update became due, not on what has ended since.

        Args:
            job: the update.
            wordings: all wordings.
            stories: tells how candidates ended.

        Raises:
            BudgetExceededError: the call would pass a cap.
        """
        scene = wordings.scene(job.number)
        shares = [one.share for one in scene]
        glimpse = scene[draw_index(shares, self.random("wordings.parent", job.ordinal))]
        if not wordings.has_room(scene):  # a question whose answer nobody wants costs nothing
            return Draft(glimpse.number, error="no room: every wording is still on trial")
        system = load_prompt("evolve").render({"most": str(wordings.limit)})
        text = self._told(glimpse, scene, wordings, stories)
        most = self.config.max_tokens
        reply = await self.ask(job, "wordings", "evolve", system=system, text=text, max_tokens=most)
        try:
            return Draft(glimpse.number, read_wording(reply, most=wordings.limit))
        except UnreadableError as error:
            return Draft(glimpse.number, error=str(error))

    def _told(
        self,
        glimpse: Glimpse,
        scene: Sequence[Glimpse],
        wordings: Wordings,
        stories: Callable[[Sequence[Ordinal]], Sequence[Story]],
    ) -> str:
        one = wordings.all[glimpse.number]
        children = one.children[: glimpse.children]
        lines = [f"# Current wording (wording {one.number})", "", *fenced(one.text, "text"), ""]
        lines += ["## What came of it", "", *_results(one, glimpse), ""]
        if others := [other for other in scene if other.number != one.number]:
            lines += ["# The other wordings", ""]
            lines += [f"- {_share_line(wordings.all[other.number], other)}" for other in others] + [""]
        best, worst = extremes(children[-REMEMBERED:], self.config.examples)
        bounds = Bounds(self.config.change_chars, self.config.feedback_chars)
        for title, ordinals in (("gained most", best), ("gained least", worst)):
            if ordinals:
                lines += [f"# Programs made under it that {title}", ""]
                lines += [tell(story, self.task.objectives[0], bounds) for story in stories(ordinals)]
        return "\n".join(lines)


def extremes(
    children: Sequence[tuple[Ordinal, float | None]], most: int
) -> tuple[tuple[Ordinal, ...], tuple[Ordinal, ...]]:
    """Returns the candidates that gained most, best first, and those that gained least, worst first.

    Those without a score are the worst, the newest first. Nobody is in both; the best all improved.

    Args:
        children: candidates with their gains, None without a score.
        most: most candidates of each.
    """
    improved = [(ordinal, gain) for ordinal, gain in children if gain is not None and gain > 0]
    best = sorted(improved, key=lambda child: (-child[1], child[0]))[:most]
    taken = {ordinal for ordinal, _ in best}
    rest = [child for child in children if child[0] not in taken]
    worst = sorted(rest, key=lambda child: (child[1] is not None, child[1] or 0.0, -child[0]))[:most]
    return tuple(ordinal for ordinal, _ in best), tuple(ordinal for ordinal, _ in worst)


def _results(one: Wording, glimpse: Glimpse) -> list[str]:
    gains = [gain for _, gain in one.children[: glimpse.children] if gain is not None and gain > 0]
    failures = Counter(why for _, why in one.failures[: glimpse.failures])
    lines = [f"- {_share_line(one, glimpse)}"]
    if gains:
        lines.append(f"- Those that improved gained {float(np.median(gains)):.3g} in score at the median.")
    if failures:
        told = ", ".join(f"{why} {count}" for why, count in sorted(failures.items()))
        lines.append(f"- {glimpse.failures} have no score: {told}.")
    return lines


def _share_line(one: Wording, glimpse: Glimpse) -> str:
    mine = Trials(glimpse.children, sum(improves(gain) for _, gain in one.children[: glimpse.children]))
    name = f"wording {one.number}" + (" (the original)" if one.number == ORIGINAL_WORDING else "")
    line = f"Under {name} {mine.ended} programs ended, {mine.improved} of them better than both their parent"
    line += " and the initial program."
    if one.number != ORIGINAL_WORDING and glimpse.control:
        better = glimpse.control_improved
        line += f" Under the original {glimpse.control} ended in the same time, {better} of them better."
    return line


def decide_wording(job: Job, wordings: Wordings, draft: Draft) -> Reworded:
    """Says what an update changes. Changes nothing.

    Args:
        job: the update.
        wordings: all wordings as they are now.
        draft: what the model answered.
    """
    made = draft.made
    error = draft.error
    if made is not None and (twin := wordings.known().get(levelled(made.text))) is not None:
        error = f"it repeats wording {twin}"
    if made is None or error is not None:
        return Reworded(ordinal=job.ordinal, update=job.number, parent=draft.parent, error=error)
    return Reworded(
        ordinal=job.ordinal,
        update=job.number,
        parent=draft.parent,
        number=wordings.next_number(),
        text=made.text,
        summary=made.summary,
        retired=wordings.leaving(),
    )
