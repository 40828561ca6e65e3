"""Rounds, shown: their pace, its pictures, and a real terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from speciate.problems.corewar import Settings, assemble, battle
from speciate.problems.corewar.command.fight import round_length
from speciate.problems.corewar.command.watch import FRAMES_A_SECOND, MOST_INSTRUCTIONS, Pace
from speciate.testing.command_line import CommandLine

NANO = Settings(core_size=80, cycles=800, processes=80, max_length=5, min_distance=5)
IMP = assemble("mov 0, 1", NANO)
MAYFLY = assemble("nop 0\nnop 0\ndat 0, 0", NANO)


def test_fast_rounds_have_more_cycles_a_frame_and_slow_ones_fewer_frames() -> None:
    assert Pace.of(4000, 2) == Pace(200, 0.05)
    assert Pace.of(2, 2) == Pace(1, 0.5)
    fastest = Pace.of(1e9, 4)
    assert fastest.cycles == MOST_INSTRUCTIONS // 4
    assert fastest.seconds < 1 / FRAMES_A_SECOND


def test_a_round_is_as_long_as_what_ends_it() -> None:
    for warriors, protocol, expected in (
        ([IMP, IMP], "pmars", 800),
        ([IMP, MAYFLY], "pmars", 3),
        ([MAYFLY], "pmars", 3),
        ([IMP], "pmars", 800),
        ([IMP, MAYFLY], "drq", 800),
        ([MAYFLY, MAYFLY], "drq", 3),
    ):
        fought = battle(warriors, NANO, protocol="pmars" if protocol == "pmars" else "drq")
        assert round_length(fought.counts, 0, 800, until_one_left=protocol == "pmars") == expected


def test_frames_are_spread_over_the_round(cli: CommandLine) -> None:
    said = cli("battle", "imp.red", "dwarf.red", "--settings", "nano", "--protocol", "drq", "--frames", 3)
    assert re.findall(r"cycle (\d+) of 800", said.out) == ["0", "400", "800"]
    assert said.out.count("a Imp") == 3
    assert "\x1b" not in said.out
    single = cli("battle", "imp.red", "imp.red", "--settings", "nano", "--frames", 1)
    assert re.findall(r"cycle (\d+) of 800", single.out) == ["800"]


def test_the_last_frame_shows_how_the_round_ended(cli: CommandLine) -> None:
    Path("mayfly.red").write_text(";name Mayfly\n;assert 1\nnop 0\nnop 0\ndat 0, 0\n")
    said = cli("battle", "imp.red", "mayfly.red", "--settings", "nano", "--frames", 2)
    assert re.search(r"b Mayfly\s+0 processes\s+3 cells\s+dead since cycle 2", said.out)


def test_every_protocol_and_company_can_be_watched(cli: CommandLine) -> None:
    for words in (["imp.red"], ["imp.red"] * 2 + ["--protocol", "survival"], ["imp.red"] * 30):
        said = cli("battle", *words, "--settings", "tiny", "--frames", 1)
        assert said.code == 0
        assert "cycle 8,000 of 8,000" in said.out


@pytest.mark.parametrize("size", [1, 7, 65536])
def test_cores_of_any_size_are_drawn(cli: CommandLine, size: int) -> None:
    words = [f"core_size={size}", "max_length=1", "min_distance=1", "cycles=20"]
    said = cli("battle", "imp.red", "--frames", 1, *(word for each in words for word in ("--set", each)))
    assert said.code == 0
    lines = said.out.partition("\n\n")[0].splitlines()
    assert 3 <= len(lines) <= 24
    assert max(map(len, lines)) <= 80


class Terminal:
    """`speciate battle` on a terminal of 80 × 24."""

    def __init__(self, *words: str, **environment: str) -> None:
        self._fd, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        unwanted = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"}
        kept = {name: value for name, value in os.environ.items() if name not in unwanted}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "speciate", "battle", *words],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env=kept | {"TERM": "xterm-256color"} | environment,
            start_new_session=True,
            # Under nohup this process ignores a hang-up, and its children would, too.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
        os.close(inside)
        self.shown = ""

    def read_until(self, text: str | None) -> None:
        """Reads until the text was shown, or with None to the end."""
        deadline = time.monotonic() + 60
        while text is None or text not in self.shown:
            assert time.monotonic() < deadline, self.shown[-2000:]
            if select.select([self._fd], [], [], 1)[0]:
                try:
                    data = os.read(self._fd, 65536)
                except OSError:  # Linux says so when the other side is closed
                    data = b""
                if not data:
                    assert text is None, self.shown[-2000:]
                    return
                self.shown += data.decode(errors="replace")

    def end(self) -> int:
        """Reads to the end and returns the exit code."""
        self.read_until(None)
        os.close(self._fd)
        return self.process.wait(60)


def test_a_round_is_watched_on_a_terminal_and_then_told() -> None:
    terminal = Terminal("builtin:imp", "builtin:dwarf", "--settings", "tiny", "--watch", "--speed", "20000")
    assert terminal.end() == 0
    frames = re.findall(r"cycle [\d,]+ of 8,000, 1 cell a character, 20,000 cycles a second", terminal.shown)
    assert len(frames) >= 2
    assert "\x1b[36m" in terminal.shown
    assert "●" in terminal.shown
    assert terminal.shown.rindex("\x1b[?25h") > terminal.shown.rindex("\x1b[?25l")
    assert "score: points" in terminal.shown.rpartition("\x1b[?25h")[2]


def test_every_round_is_watched_with_its_number() -> None:
    words = ("builtin:imp", "builtin:imp", "--settings", "nano", "--watch", "--rounds", "3")
    terminal = Terminal(*words, "--speed", "40000")
    assert terminal.end() == 0
    numbers = re.findall(r"round (\d) of 3, cycle ([\d,]+) of 800", terminal.shown)
    assert {number for number, _ in numbers} == {"1", "2", "3"}
    assert ("3", "800") in numbers


def test_an_interrupt_ends_the_watching_and_leaves_the_terminal_in_order() -> None:
    terminal = Terminal("builtin:imp", "builtin:imp", "--watch", "--speed", "100")
    terminal.read_until("cycle 5 ")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130
    rest = terminal.shown.rpartition("\x1b[?25h")[2]
    assert rest.strip().splitlines()[-1] == "speciate: stopped"
    assert "Traceback" not in terminal.shown


def test_who_wants_no_colours_gets_letters() -> None:
    terminal = Terminal(
        "builtin:imp", "builtin:imp", "--settings", "nano", "--watch", "--speed", "100000", NO_COLOR="1"
    )
    assert terminal.end() == 0
    assert not re.search(r"\x1b\[[\d;]*3\d[;m]", terminal.shown)
    assert "aaaa" in terminal.shown
    assert "█" not in terminal.shown


def test_frames_on_a_terminal_are_printed_one_below_the_other() -> None:
    terminal = Terminal("builtin:imp", "builtin:imp", "--settings", "nano", "--watch", "--frames", "2")
    assert terminal.end() == 0
    assert "cycle 0 of 800" in terminal.shown
    assert "cycle 800 of 800" in terminal.shown
    assert "\x1b[?25l" not in terminal.shown


def test_json_on_a_terminal_is_the_last_thing_said() -> None:
    terminal = Terminal("builtin:imp", "builtin:imp", "--settings", "nano", "--json", "--frames", "1")
    assert terminal.end() == 0
    assert terminal.shown.splitlines()[-1].startswith('{"warriors": ')


def test_a_closed_terminal_ends_the_watching() -> None:
    terminal = Terminal("builtin:imp", "builtin:imp", "--watch", "--speed", "100")
    terminal.read_until("cycle 5 ")
    terminal.process.send_signal(signal.SIGHUP)
    assert terminal.end() == -signal.SIGHUP
