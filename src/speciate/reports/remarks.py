"""What a reader must know before believing a run's numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from speciate.records import FailureKind
from speciate.reports.costs import models_used
from speciate.reports.manifest import RunFacts
from speciate.reports.status import RunStatus
from speciate.reports.summary import Summary
from speciate.reports.tables import plain
from speciate.reports.words import dollars
from speciate.store import RunHistory

_STANDING: Mapping[RunStatus, str] = {
    "running": "The run still goes on; this page shows it as far as it had come.",
    "killed": "The run was killed. Everything up to then is here, and `speciate resume` goes on with it.",
    "interrupted": "The run was interrupted; `speciate resume` goes on with it.",
    "stopped": "The run stopped because its set-up broke; mend that, and `speciate resume` goes on with it.",
    "finished": "",
}
_FORGEABLE = (
    "**Forgeable scores.** Candidates ran in the process that told their score, so a candidate could have "
    "made its score up. Read the best program before trusting it."
)
_UNVALIDATED = (
    "**Unvalidated.** The task has no validator: nothing but the score says that an answer is allowed."
)
_UNKNOWN_COST = (
    "**Unknown cost.** At least one model has no known price, so what was spent is unknown (it is not zero)."
)


def remarks(history: RunHistory, facts: RunFacts, summary: Summary) -> Sequence[str]:
    """Returns what must be known, the weightiest first, one short paragraph each in Markdown."""
    found = [
        _stand_ins(history, summary),
        _FORGEABLE if facts.forgeable else "",
        _UNVALIDATED if facts.unvalidated else "",
        _UNKNOWN_COST if summary.cost is None else "",
        _uncertain(summary),
        _score_code(summary),
        _STANDING[summary.status],
    ]
    return [remark for remark in found if remark]


def artificial(history: RunHistory, summary: Summary) -> Sequence[str]:
    """Returns the proposers and models that are no models at all but stand-ins for tests, sorted."""
    names = {*summary.proposers, *models_used(history)}
    return sorted(name for name in names if "simulated:" in name or name.startswith("scripted:"))


def _stand_ins(history: RunHistory, summary: Summary) -> str:
    names = artificial(history, summary)
    if not names:
        return ""
    words = "simulated" if all("simulated:" in name for name in names) else "simulated or scripted"
    return (
        f"**Results of {words} models** ({', '.join(map(plain, names))}). They test plumbing and policy "
        "and say nothing about what models can do."
    )


def _uncertain(summary: Summary) -> str:
    calls, worst = summary.uncertain.calls, summary.uncertain.cost
    if not calls:
        return ""
    price = "at an unknown price" if worst is None else f"{dollars(worst)} at worst"
    return (
        f"**Uncertain spend.** {calls} request{' was' if calls == 1 else 's were'} sent without a recorded "
        f"reply; the provider may have charged for that ({price}). It is not in the costs below."
    )


def _score_code(summary: Summary) -> str:
    broken = summary.counts.failed.get(FailureKind.SCORE, 0)
    if not broken:
        return ""
    return (
        f"**The task's score code failed** on {broken} candidate{'s' * (broken != 1)}, through no fault of "
        "theirs."
    )
