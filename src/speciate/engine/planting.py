"""Programs that nobody proposed here: initial ones, first opponents, champions of other nodes."""

from __future__ import annotations

from speciate.engine.candidate import develop, note_patched, settle
from speciate.engine.guests import guest_choice
from speciate.engine.islands import seed_choice, unplanted
from speciate.engine.run import Run
from speciate.errors import TaskError
from speciate.records import PLANTED, Choice, Chosen, Program, Proposal


async def plant(run: Run, program: Program, summary: str) -> None:
    """Lives the life of a program that was there from the beginning: it lands on every island."""
    choice = Choice(
        run.state.issued, run.state.epoch, run.state.closed, 0, operator=PLANTED, proposer=PLANTED, parents=()
    )
    await _sow(run, choice, program, summary)


async def plant_seeds(run: Run) -> None:
    """Plants those islands' own initial programs that are not planted yet.

    Raises:
        ConfigError: one of them cannot be read or does not fit the task.
        TaskError: one of them is not valid, and the settings do not allow that.
    """
    for island, program in unplanted(run):
        choice = seed_choice(run, island)
        await _sow(run, choice, program, f"initial program of island {island}")
        if not (run.state.population.ranked(island) or run.config.allow_invalid_seed):
            await run.journal.flush()
            raise TaskError(f"the initial program of island {island} is not valid")


async def plant_received(run: Run) -> None:
    """Lets the champions taken from other nodes be candidates, in the order in which they were taken."""
    peers = run.state.peers
    for _, received in peers.pool[peers.sown :]:
        program = run.journal.read_program(received.program)
        summary = f"champion of {received.node}, round {received.round}"
        await _sow(run, guest_choice(run, received), program, summary)


async def _sow(run: Run, choice: Choice, program: Program, summary: str) -> None:
    run.journal.note(Chosen.of(choice))
    note_patched(run, choice, Proposal(program, summary=summary))
    await grow(run, choice)


async def grow(run: Run, choice: Choice) -> None:
    """Evaluates and places what was planted; also what a crash left in the ground."""
    await develop(run, choice)
    await settle(run, choice.ordinal)
