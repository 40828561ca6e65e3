"""The life of one candidate, in seven steps. Every driver calls these; none repeats them.

    choose → propose → screen → evaluate → record → place → learn

`choose`, `place` and `learn` look at the archives and are called by one writer, in the driver's order.
`develop` runs steps 2 to 5 of one candidate; many candidates develop at once. Each step asks the
journal first, so living a candidate again after a crash repeats no reply and no evaluation.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from speciate.engine.asking import asking
from speciate.engine.choosing import decide_choice
from speciate.engine.chores import keep_notes
from speciate.engine.guests import as_guest
from speciate.engine.islands import decide_moves, decide_opening, homes
from speciate.engine.run import Run
from speciate.engine.twins import beside_twin
from speciate.engine.views import assignment, original, screening
from speciate.novelty import fingerprint
from speciate.patches import immutable_change
from speciate.records import (
    RECEIVED,
    Choice,
    Chosen,
    Entry,
    Evaluated,
    Member,
    Migrated,
    Ordinal,
    Patched,
    Placed,
    Placement,
    Proposal,
    Rejected,
    RejectedEvent,
    Started,
    program_refs,
)


def choose(run: Run) -> Choice:
    """Step 1. Issues the next ordinal and decides island, proposer, operator, parents and inspirations."""
    choice = decide_choice(run)
    run.journal.note(Chosen.of(choice))
    return choice


async def develop(run: Run, choice: Choice) -> None:
    """Steps 2 to 5. Afterwards it has an outcome or is rejected for good, and waits for its place."""
    tried: list[Rejected] = []
    while True:
        made = run.journal.verdict(choice.ordinal, len(tried)) or await _attempt(run, choice, tuple(tried))
        if isinstance(made, Proposal):
            break
        if made.final:
            return
        tried.append(made)
    await record(run, made, await evaluate(run, choice, made))


async def _attempt(run: Run, choice: Choice, tried: tuple[Rejected, ...]) -> Proposal | Rejected:
    """Runs steps 2 and 3 once and writes down how they ended."""
    made = await propose(run, choice, tried)
    if isinstance(made, Proposal):
        made = await screen(run, choice, made)
    if isinstance(made, Proposal):
        note_patched(run, choice, made)
        return made
    rejected = run.config.attempts.conclude(made, tried)
    run.journal.note(RejectedEvent.of(choice.ordinal, rejected))
    return rejected


def note_patched(run: Run, choice: Choice, proposal: Proposal) -> None:
    """Writes down that a new program exists."""
    patched = Patched(
        ordinal=choice.ordinal,
        attempt=proposal.attempt,
        program=proposal.program.manifest,
        fingerprint=fingerprint(proposal.program, run.task.spec.language, run.task.canonical),
        summary=proposal.summary,
        traits=proposal.traits,
        novelty=proposal.novelty,
    )
    run.journal.note(patched, program_refs(proposal.program))


async def propose(run: Run, choice: Choice, tried: tuple[Rejected, ...]) -> Proposal | Rejected:
    """Step 2. Lets the chosen proposer make one attempt."""
    proposer = run.proposers.get(choice.proposer)
    if proposer is None:  # the run was resumed without it
        gone = f"{choice.proposer} proposes no more in this run."
        return Rejected("propose", "departed", gone, len(tried), final=True)
    return await proposer.propose(assignment(run, choice, tried))


async def screen(run: Run, choice: Choice, proposal: Proposal) -> Proposal | Rejected:
    """Step 3. Turns away what need not be evaluated: broken rules, broken syntax, nothing new, no consent."""
    refuse = partial(Rejected, "screen", attempt=proposal.attempt)
    if changed := immutable_change(original(run, choice), proposal.program, run.task):
        return refuse("immutable", changed)
    if broken := await run.evaluator.syntax(proposal.program):
        return refuse("syntax", broken)
    novelty = await run.novelty.check(screening(run, choice, proposal))
    if not novelty.novel:
        return refuse(novelty.reason, novelty.message, novelty=novelty.check)
    proposal = replace(proposal, novelty=novelty.check)
    if run.approve is not None and not await run.approve(choice, proposal):
        return refuse("not_approved", "The user did not approve this program.", final=True)
    return proposal


async def evaluate(run: Run, choice: Choice, proposal: Proposal) -> Evaluated:
    """Step 4. Scores the program in the choice's epoch, or reuses what an equal program reached."""
    context = run.state.context_hash
    done = run.journal.find(choice.ordinal, proposal.attempt, "evaluated", context)
    if isinstance(done, Evaluated):
        return done
    ended = partial(
        Evaluated, ordinal=choice.ordinal, attempt=proposal.attempt, part=context, epoch=choice.epoch
    )
    twin = run.state.twin(choice.ordinal, proposal.attempt, before=run.horizon(choice))
    if twin is not None:
        return ended(outcome=run.library.get(twin, context).outcome.reused(), cached=twin)
    await run.journal.write(Started(ordinal=choice.ordinal, attempt=proposal.attempt, part=context))
    evaluator = asking(run, choice, proposal)
    return ended(outcome=await evaluator.evaluate(proposal.program, run.state.context))


async def record(run: Run, proposal: Proposal, evaluated: Evaluated) -> None:
    """Step 5. Makes the outcome safe: from here on it is never evaluated again."""
    entry = Entry(evaluated.ordinal, proposal.program, evaluated.outcome, proposal.traits)
    run.library.put(entry, evaluated.part)  # first: an equal program may reuse it while it is being written
    await run.journal.write(evaluated)


def place(run: Run, ordinal: Ordinal) -> None:
    """Step 6. Offers the outcome to the archives and closes the ordinal, whatever became of it."""
    run.journal.note(decide_place(run, ordinal))


def decide_place(run: Run, ordinal: Ordinal) -> Placed:
    """Says what `place` would do now. Changes nothing."""
    life, population = run.state.open[ordinal], run.state.population
    outcome = life.outcome
    placements: tuple[tuple[int, Placement], ...] = ()
    best = False
    if outcome is not None and outcome.result is not None:
        member = Member.of(ordinal, outcome.result)
        placements = population.decide(member, homes(run, life.chosen.choice))
        if life.chosen.choice.operator == RECEIVED:
            placements = as_guest(run, placements)
        best = population.is_best(member)
    gain = None if life.chosen.choice.planted else life.gain
    placed = Placed(ordinal=ordinal, epoch=run.state.epoch, placements=placements, best=best, gain=gain)
    return beside_twin(run, life.chosen.choice, outcome, placed)


async def learn(run: Run, ordinal: Ordinal) -> None:
    """Step 7. What follows from a placement: now and then programs migrate, an island opens, advice is noted.

    Credit to proposers and what novelty remembers need no decision: `State` takes them from the events.
    """
    if moves := decide_moves(run, ordinal):
        run.journal.note(Migrated(ordinal=ordinal, moves=moves))
    if opened := decide_opening(run, ordinal):
        run.journal.note(opened)
    await keep_notes(run)


async def settle(run: Run, ordinal: Ordinal) -> None:
    """Steps 6 and 7 of one candidate."""
    place(run, ordinal)
    await learn(run, ordinal)
