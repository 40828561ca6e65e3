"""A new company opens a new epoch: who lived well in the old one has to prove it again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from speciate.records import (
    INITIAL,
    Context,
    EpochOpened,
    Evaluated,
    Member,
    Ordinal,
    Placed,
    Placement,
    Program,
    Started,
    TextHash,
    TextRef,
    program_refs,
    text_hash,
)
from speciate.store import StoreReader

if TYPE_CHECKING:
    from speciate.engine.run import Run

NOWHERE = -1
"""Island of a candidate that is scored again but lives nowhere: the initial program, as a yardstick."""


Homes: TypeAlias = tuple[tuple[int, Ordinal], ...]
"""Pairs of (island, ordinal), by ordinal: who is scored again, and where it may live then."""


async def open_epoch(
    run: Run, context: Context, rescored: Homes | None = None, *, kept: bool = False
) -> None:
    """Opens an epoch and scores programs of the old one again, unless the archives are kept.

    The archives begin empty and are refilled in ordinal order, so elites move cells as they must.
    The initial program is scored again too, because credit is measured against it.

    Args:
        run: no candidate of it may be open.
        context: the new company.
        rescored: who is scored again; None is all occupants.
        kept: whether the archives go on as they are instead, with the scores they hold; nobody is scored
            again then.

    Raises:
        ValueError: candidates are open (they would be scored in another epoch than they were chosen in), or
            somebody is to be scored again for archives that are kept.
        StoreError: the history cannot be written.
    """
    state = run.state
    if state.open:
        raise ValueError(f"no epoch can be opened while candidates are open: {sorted(state.open)}")
    if kept and rescored:
        raise ValueError("archives are either kept or scored again")
    everybody = () if kept else decide_rescored(run)
    text, texts = write_context(context)
    event = EpochOpened(
        ordinal=state.issued - 1,
        part=str(state.epoch + 1),
        epoch=state.epoch + 1,
        context=TextRef(text_hash(text)),
        rescored=everybody if rescored is None else rescored,
        kept=kept,
    )
    await run.journal.keep(texts)
    await run.journal.write(event)
    await refill(run)


def decide_rescored(run: Run) -> Homes:
    """Says who a new epoch would score again if nobody else says so: all occupants. Changes nothing."""
    population = run.state.population
    return in_order(
        (island, member.ordinal)
        for island in range(population.islands)
        for member in population.ranked(island)
    )


def in_order(homes: Iterable[tuple[int, Ordinal]]) -> Homes:
    """Returns homes by ordinal, each once, with the initial program among them whatever becomes of it."""
    wanted = set(homes)
    if all(ordinal != INITIAL for _, ordinal in wanted):
        wanted.add((NOWHERE, INITIAL))
    return tuple(sorted(wanted, key=lambda home: (home[1], home[0])))


async def refill(run: Run) -> None:
    """Scores again what the epoch still waits for, until the run is asked to stop; goes on where it was.

    As many are evaluated at once as there are slots; they are placed in ordinal order.
    """
    state = run.state
    waiting = [o for o in dict.fromkeys(o for _, o in state.to_rescore) if o not in state.rescored]
    turns = asyncio.Semaphore(run.evaluator.slots)

    async def score(ordinal: Ordinal) -> None:
        async with turns:
            if run.stopping is None:
                await _rescore(run, ordinal)

    async with asyncio.TaskGroup() as tasks:
        for ordinal in waiting:
            tasks.create_task(score(ordinal), name=f"candidate {ordinal} again")
    while state.to_rescore and state.to_rescore[0][1] in state.rescored:
        run.journal.note(decide_refill(run, state.to_rescore[0][1]))


async def _rescore(run: Run, ordinal: Ordinal) -> None:
    """Scores an occupant in the new epoch, or reuses what it reached when this company met before."""
    state, context_hash = run.state, run.state.context_hash
    scored = partial(Evaluated, ordinal=ordinal, epoch=state.epoch)
    known = run.library.find(ordinal, context_hash)
    if known is not None:
        # The plain hash names the evaluation that was really made.
        part, outcome = f"{context_hash} {state.epoch}", known.outcome.reused()
        await run.journal.write(scored(part=part, outcome=outcome, cached=ordinal))
        return
    if ordinal not in state.rescoring:  # a crash may lie between the start and the end
        await run.journal.write(Started(ordinal=ordinal, part=context_hash))
    outcome = await run.evaluator.evaluate(run.library.program(ordinal), state.context)
    await run.journal.write(scored(part=context_hash, outcome=outcome))


def decide_refill(run: Run, ordinal: Ordinal) -> Placed:
    """Says how the archives of the new epoch take an occupant of the old one. Changes nothing."""
    state = run.state
    islands = [island for island, other in state.to_rescore if other == ordinal and island != NOWHERE]
    result = state.rescored[ordinal].result
    placements: tuple[tuple[int, Placement], ...] = ()
    best = False
    if result is not None:
        member = Member.of(ordinal, result)
        placements = state.population.decide(member, islands)
        best = bool(placements) and state.population.is_best(member)
    return Placed(ordinal=ordinal, part=str(state.epoch), epoch=state.epoch, placements=placements, best=best)


def write_context(context: Context) -> tuple[str, dict[TextHash, str]]:
    """Returns a context as text, and all texts needed to read it back, by hash."""
    opponents = [list(map(list, program.manifest)) for program in context.opponents]
    text = json.dumps(
        {"opponents": opponents, "settings": dict(context.settings), "seeds": list(context.seeds)},
        sort_keys=True,
    )
    texts = {text_hash(text): text}
    for program in context.opponents:
        texts |= program_refs(program)
    return text, texts


def read_context(store: StoreReader, digest: TextHash) -> Context:
    """Reads back what `write_context` wrote.

    Raises:
        StoreCorruptError: a text is missing.
    """
    raw = json.loads(store.text(digest))
    opponents = tuple(
        Program(tuple((name, store.text(text)) for name, text in manifest)) for manifest in raw["opponents"]
    )
    return Context(opponents, raw["settings"], tuple(raw["seeds"]))
