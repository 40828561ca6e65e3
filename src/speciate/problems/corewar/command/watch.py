"""``--watch`` and ``--frames``: the rounds of a battle, shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from speciate.problems.corewar.command import telling
from speciate.problems.corewar.command.drawing import Style, draw, field
from speciate.problems.corewar.command.entrants import Company
from speciate.problems.corewar.command.fight import round_length
from speciate.problems.corewar.command.picture import picture
from speciate.problems.corewar.command.request import Request, View
from speciate.problems.corewar.mars import Glance, Rules, Stepper
from speciate.problems.corewar.scoring import BattleResult

SECONDS: Final = 20.0
"""How long a round is shown if nobody asks for a speed."""
ALL_SECONDS: Final = 60.0
"""How long several rounds are shown, if a round then takes no less than `LEAST_SECONDS`."""
LEAST_SECONDS: Final = 3.0
SLOWEST: Final = 10.0
"""Cycles a second below which nobody wants to wait for the end of a short round."""
FRAMES_A_SECOND: Final = 20.0
MOST_INSTRUCTIONS: Final = 20_000
"""Most instructions between two frames, about a tenth of a second: so that pictures keep moving."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a round is shown.

    Attributes:
        cycles: cycles from frame to frame; at least 1.
        seconds: time from frame to frame; longer where the simulator needs longer.
    """

    cycles: int
    seconds: float

    @classmethod
    def of(cls, speed: float, warriors: int) -> Self:
        """Returns the pace for so many cycles a second with so many warriors."""
        most = max(1, MOST_INSTRUCTIONS // warriors)
        cycles = min(most, max(1, round(speed / FRAMES_A_SECOND)))
        return cls(cycles, cycles / speed)


class Show:
    """The rounds of a battle on a console.

    Args:
        request: the battle.
        company: who fights.
        fought: how it went.
        console: where it is shown.
    """

    def __init__(self, request: Request, company: Company, fought: BattleResult, console: Console) -> None:
        until_one_left = request.protocol == "pmars"
        rules = Rules.of(
            request.settings, rotate=until_one_left, stop="one_left" if until_one_left else "never"
        )
        self.cycles = request.settings.cycles
        self.rounds = len(fought.positions)
        self._lengths = [
            round_length(fought.counts, number, self.cycles, until_one_left=until_one_left)
            for number in range(self.rounds)
        ]
        first, *later = fought.positions
        self._stepper = Stepper(company.warriors, first, rules, later=later, traced=True)
        self._names = [entrant.name for entrant in company.entrants]
        self._console = console
        colours = console.color_system is not None and not console.no_color
        self._style = Style.of(len(self._names), colours=colours)

    @property
    def length(self) -> int:
        """Cycles of the present round."""
        return self._lengths[self._stepper.round]

    @property
    def speed(self) -> float:
        """Cycles a second with which the present round takes its time, but not less than `SLOWEST`."""
        seconds = min(SECONDS, max(LEAST_SECONDS, ALL_SECONDS / self.rounds))
        return max(self.length / seconds, SLOWEST)

    def following(self) -> bool:
        """Goes on to the next round; returns False if there is none."""
        if self._stepper.round + 1 == self.rounds:
            return False
        self._stepper.next_round()
        return True

    def film(self, pace: Pace) -> Iterator[Glance]:
        """Yields how things stand from frame to frame of the present round, beginning and end included."""
        yield (glance := self._stepper.glance())
        while not self._stepper.over:
            self._stepper.advance_to(glance.cycle + pace.cycles)
            yield (glance := self._stepper.glance())

    def stills(self, count: int) -> Iterator[Glance]:
        """Yields how things stand at equal distances within the present round, the last one at its end; a
        single one is the end."""
        for number in range(count):
            self._stepper.advance_to(self.length * number // (count - 1) if count > 1 else self.length)
            yield self._stepper.glance()

    def draw(self, glance: Glance, *, note: str = "") -> Text:
        """Returns the text of one frame, as large as the console is now."""
        width, height = self._console.size
        height -= 1  # the cursor stands in the last line
        seen = picture(glance, *field(width, height, len(self._names)))
        cells = f"{seen.cells} cell{'s' if seen.cells > 1 else ''} a character"
        number = f"round {self._stepper.round + 1} of {self.rounds}" if self.rounds > 1 else ""
        cycle = f"cycle {seen.cycle:,} of {self.cycles:,}"
        heading = ", ".join(filter(None, (number, cycle, cells, note)))
        return draw(seen, self._names, heading, width=width, height=height, style=self._style)


def show_rounds(request: Request, view: View, company: Company, fought: BattleResult) -> None:
    """Shows the rounds as they go on, or the first one in so many pictures."""
    console = Console(file=telling.spoken_to(as_json=view.as_json), highlight=False, markup=False)
    show = Show(request, company, fought, console)
    if view.frames is not None:
        for glance in show.stills(view.frames):
            console.print(show.draw(glance), "", sep="\n")
        return
    # An interrupt leaves the terminal as it was, with the last frame on it.
    with Live(console=console, auto_refresh=False) as live:
        while True:
            _play(show, view.speed or show.speed, len(company.entrants), live)
            if not show.following():
                return


def _play(show: Show, speed: float, warriors: int, live: Live) -> None:
    """Shows a round, frame after frame, at so many cycles a second."""
    pace, note = Pace.of(speed, warriors), f"{speed:,.0f} cycles a second"
    due = time.monotonic()
    for glance in show.film(pace):
        live.update(show.draw(glance, note=note), refresh=True)
        due += pace.seconds
        early = due - time.monotonic()
        if early > 0:
            time.sleep(early)
        else:
            due -= early
