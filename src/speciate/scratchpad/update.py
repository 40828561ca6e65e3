"""One update: three questions to a model, and what they change. Asking and deciding are two steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from speciate.records import Entry, Noted, NoteKind, Reply
from speciate.reflection import Asker, Bounds, Job, Story, UnreadableError, show, tell
from speciate.scratchpad.config import ScratchpadConfig
from speciate.scratchpad.pad import Pad
from speciate.scratchpad.prompts import load_prompt
from speciate.scratchpad.reading import (
    Advice,
    read_insights,
    read_recommendations,
    read_summaries,
)

PROGRAM_CHARACTERS = 12_000
"""Most that is shown of the best program."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model answered, read as far as it could be.

    Attributes:
        summaries: by ordinal.
        insights: lines.
        recommendations: the most promising first.
        failed: the part that came to nothing and why, or None.
    """

    summaries: tuple[tuple[int, str], ...] = ()
    insights: tuple[str, ...] = ()
    recommendations: tuple[Advice, ...] = ()
    failed: tuple[NoteKind, str] | None = None


@dataclass(frozen=True, slots=True)
class Keeper(Asker):
    """Who keeps the scratchpad.

    Attributes:
        config: settings.
    """

    config: ScratchpadConfig

    async def draft(self, job: Job, pad: Pad, stories: Sequence[Story], best: Entry | None) -> Draft:
        """Asks for summaries, insights and recommendations, one after the other, and reads the answers.

        Each question needs the answer before it; one that makes no sense ends the update. Nothing is changed.

        Args:
            job: the update.
            pad: what the scratchpad says now.
            stories: the candidates of the job's batch.
            best: the best candidate so far, or None.

        Raises:
            BudgetExceededError: a call would pass a cap.
        """
        kind: NoteKind = "summaries"
        draft = Draft()
        insights, standing = pad.insights, {n: one.text for n, one in pad.standing.items()}
        try:
            reply = await self._ask(job, kind, self._told(stories))
            draft = Draft(read_summaries(reply, job.batch))
            kind = "insights"
            reply = await self._ask(job, kind, _so_far(insights, draft))
            draft = Draft(draft.summaries, read_insights(reply, most=self.config.insights))
            kind = "recommendations"
            reply = await self._ask(job, kind, self._known(draft, best, standing))
            return Draft(draft.summaries, draft.insights, read_recommendations(reply, standing))
        except UnreadableError as error:
            return Draft(draft.summaries, draft.insights, failed=(kind, str(error)))

    async def _ask(self, job: Job, kind: NoteKind, text: str) -> Reply:
        most = self.config.insights if kind == "insights" else self.config.recommendations
        system = load_prompt(kind).render({"most": str(most)})
        return await self.ask(
            job, "scratchpad", kind, system=system, text=text, max_tokens=self.config.max_tokens
        )

    def _told(self, stories: Sequence[Story]) -> str:
        bounds = Bounds(self.config.change_chars, self.config.feedback_chars)
        told = (tell(story, self.task.objectives[0], bounds) for story in stories)
        return "# The last programs\n\n" + "".join(told)

    def _known(self, draft: Draft, best: Entry | None, standing: dict[int, str]) -> str:
        parts = ["# Insights\n\n", "".join(f"- {line}\n" for line in draft.insights)]
        given = "".join(f"{number}: {text}\n" for number, text in standing.items()) or "None yet.\n"
        parts += ["\n# Recommendations that stand\n\n", given]
        if best is not None:
            head = f"\n# The best program so far (program {best.ordinal})\n\n"
            parts += [head, show(best.program, PROGRAM_CHARACTERS)]
        return "".join(parts)


def _so_far(insights: Sequence[str], draft: Draft) -> str:
    noted = "".join(f"- {line}\n" for line in insights) or "None yet.\n"
    summaries = "".join(f"{ordinal}: {text}\n" for ordinal, text in draft.summaries)
    return f"# Insights so far\n\n{noted}\n# What was tried since\n\n{summaries}"


def decide_notes(job: Job, pad: Pad, draft: Draft, most: int) -> tuple[Noted, ...]:
    """Says what an update changes, one event a part. Changes nothing.

    Recommendations that did not prove themselves leave, and new ones take the places that are free then.

    Args:
        job: the update.
        pad: what the scratchpad says now.
        draft: what the model answered.
        most: how many recommendations may stand.
    """
    notes: list[Noted] = []
    if draft.summaries:
        notes.append(_note(job, "summaries", draft.summaries))
    if draft.insights:
        notes.append(_note(job, "insights", tuple(enumerate(draft.insights, start=1))))
    if draft.failed is not None:
        kind, why = draft.failed
        return (*notes, Noted(ordinal=job.ordinal, part=kind, update=job.number, kind=kind, error=why))
    leaving = pad.leaving()
    standing = {one.text for number, one in pad.standing.items() if number not in leaving}
    fresh = [advice for advice in draft.recommendations if advice.text not in standing]
    numbered = list(enumerate(fresh[: most - len(standing)], start=pad.next_number()))
    return (
        *notes,
        Noted(
            ordinal=job.ordinal,
            part="recommendations",
            update=job.number,
            kind="recommendations",
            lines=tuple((number, advice.text) for number, advice in numbered),
            dropped=leaving,
            contradictions=tuple((n, a.contradicts) for n, a in numbered if a.contradicts is not None),
            surplus=len(draft.recommendations) - len(numbered),
        ),
    )


def _note(job: Job, kind: NoteKind, lines: tuple[tuple[int, str], ...]) -> Noted:
    return Noted(ordinal=job.ordinal, part=kind, update=job.number, kind=kind, lines=lines)
