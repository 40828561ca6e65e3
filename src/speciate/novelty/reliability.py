"""How often a judge is right, measured against what programs did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from speciate.novelty.calibrate import Comparison
from speciate.novelty.judge import Said
from speciate.statistics import wilson


@dataclass(frozen=True, slots=True)
class Tape:
    """One recorded verdict, and what is known of the two programs.

    Attributes:
        said: the verdict.
        different: whether the two did something else in any case; None if one of them was not evaluated.
    """

    said: Said
    different: bool | None


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % interval (`speciate.statistics.wilson`).

    Attributes:
        hits: how many.
        total: of how many; with 0 nothing is known, and the interval is from 0 to 1.
    """

    hits: int
    total: int

    @property
    def share(self) -> float | None:
        """The share, or None of nothing."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end."""
        return wilson(self.hits, self.total)


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far a judge's verdicts agree with what programs did. A judge that says nothing is not wrong.

    Attributes:
        verdicts: all verdicts, unclear ones included.
        undecided: unclear ones, of all.
        agreement: clear verdicts that are right, of those of which that is known.
        false_accept: programs that did the same, of those that were called novel.
        false_reject: programs that did something else, of those that were called not novel.
    """

    verdicts: int
    undecided: Rate
    agreement: Rate
    false_accept: Rate
    false_reject: Rate


def reliability(tapes: Iterable[Tape]) -> Reliability:
    """Returns how reliable a judge was.

    What it called not novel is only evaluated where refusals are audited (`novelty.audit`) or somebody has
    evaluated it for this purpose: without that, nothing is known of false rejects.
    """
    tapes = list(tapes)
    known = [tape for tape in tapes if tape.said != "undecided" and tape.different is not None]
    novel = [tape.different for tape in known if tape.said == "novel"]
    refused = [tape.different for tape in known if tape.said == "not_novel"]
    right = sum((tape.said == "novel") == tape.different for tape in known)
    return Reliability(
        verdicts=len(tapes),
        undecided=Rate(sum(tape.said == "undecided" for tape in tapes), len(tapes)),
        agreement=Rate(right, len(known)),
        false_accept=Rate(novel.count(False), len(novel)),
        false_reject=Rate(refused.count(True), len(refused)),
    )


def tapes_of(comparisons: Iterable[Comparison]) -> list[Tape]:
    """Returns the verdicts of judges among recorded comparisons."""
    tapes = []
    for comparison in comparisons:
        same = comparison.same_behaviour
        different = None if same is None else not same
        match comparison.verdict:
            case "novel" | "not_novel" | "undecided" as said:
                tapes.append(Tape(said, different))
            case _:
                pass
    return tapes
