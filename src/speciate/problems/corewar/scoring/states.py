"""The core after so many instructions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from speciate.errors import UsageError
from speciate.problems.corewar.mars import CoreState, Event, Rules, Stepper, kernel_for
from speciate.problems.corewar.scoring.company import check_positions, check_warriors
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior


def run_state(
    warriors: Sequence[Warrior],
    settings: Settings,
    positions: Sequence[int] | Sequence[Sequence[int]],
    after: int,
    *,
    traced: bool = False,
) -> CoreState:
    """Returns the core after `after` instructions of all warriors together, in the first round of a battle.

    Args:
        warriors: who meets.
        settings: the rules.
        positions: the address of each one's first cell; or a list with that list in it.
        after: instructions to execute; fewer are if the round ends before.
        traced: whether to keep who owns each cell; slower.

    Raises:
        UsageError: the warriors do not fit the rules or the positions, or `after` is negative.
    """
    if after < 0:
        raise UsageError(f"after is {after}; expected 0 or more instructions")
    row = _row(warriors, settings, positions)
    rules = Rules.of(settings)
    stepper = Stepper(warriors, row, rules, traced=traced, kernel=kernel_for(rules, 0 if traced else after))
    stepper.advance(after)
    return stepper.state()


def trace(
    warriors: Sequence[Warrior],
    settings: Settings,
    positions: Sequence[int] | Sequence[Sequence[int]],
    instructions: int | None = None,
) -> Iterator[Event]:
    """Yields what each instruction does, until the round is over or `instructions` are executed.

    Args:
        warriors: who meets.
        settings: the rules.
        positions: the address of each one's first cell; or a list with that list in it.
        instructions: how many to execute at most; None for the whole round.

    Raises:
        UsageError: the warriors do not fit the rules or the positions.
    """
    row = _row(warriors, settings, positions)
    stepper = Stepper(warriors, row, Rules.of(settings), traced=True)
    return stepper.events(settings.cycles * len(warriors) if instructions is None else instructions)


def _row(
    warriors: Sequence[Warrior], settings: Settings, positions: Sequence[int] | Sequence[Sequence[int]]
) -> list[int]:
    """Returns the positions of the one round, checked."""
    check_warriors(warriors, settings)
    plain = [position for position in positions if isinstance(position, int)]
    rows = [plain] if plain else [list(row) for row in positions if not isinstance(row, int)]
    if len(rows) != 1:
        raise UsageError(f"one round of positions is expected; got {len(rows)}")
    return check_positions(rows, warriors, settings)[0]
