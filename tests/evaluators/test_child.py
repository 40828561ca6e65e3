import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from speciate.evaluators import limits
from speciate.evaluators.child import STATUS, USAGE, Child, kill

TOLD = STATUS.pack(0) + USAGE.pack(7.5, 1 << 20)
"""What an init says once it has buried all; no process here comes near that CPU time."""
SPIN = "while True: pass"
WAIT = "import time; time.sleep(60)"
PARENT = f"import os\nif os.fork() == 0: os._exit(0)\nos.wait()\n{WAIT}"


def test_a_single_process_is_stopped_and_billed_while_it_lives() -> None:
    with started(SPIN, WAIT) as (pid, init):
        while limits.cpu_seconds(pid) < 0.1:
            time.sleep(0.01)
        used = child(init, [pid]).end(bytearray())
        assert 0.1 <= used.cpu_seconds < 7
        assert used.peak_bytes > 1 << 20
        while state(pid) != "T":  # the signal has been sent; it is stopped at its next step
            time.sleep(0.001)
        spent = limits.cpu_seconds(pid)
        time.sleep(0.05)
        assert limits.cpu_seconds(pid) == spent


def test_a_process_that_waited_for_a_child_is_billed_by_init() -> None:
    with started(PARENT, WAIT) as (pid, init):
        while not limits.had_children(pid):
            time.sleep(0.01)
        assert child(init, [pid]).end(bytearray(TOLD)).cpu_seconds == 7.5


def test_a_process_whose_orphan_was_buried_is_billed_by_init() -> None:
    with started(WAIT, PARENT) as (pid, init):
        while not limits.had_children(init):
            time.sleep(0.01)
        assert child(init, [pid]).end(bytearray(TOLD)).cpu_seconds == 7.5


def test_a_tree_of_two_is_billed_by_init() -> None:
    with started(WAIT, WAIT, WAIT) as (one, other, init):
        assert child(init, [one, other]).end(bytearray(TOLD)).cpu_seconds == 7.5


def test_a_tree_that_grows_while_it_is_looked_at_is_billed_by_init() -> None:
    with started(WAIT, WAIT, WAIT) as (one, other, init):
        looks = iter([[one], [one, other]])
        assert child(init, lambda: next(looks)).end(bytearray(TOLD)).cpu_seconds == 7.5


def test_a_process_that_has_ended_is_billed_by_init() -> None:
    with started(WAIT, WAIT) as (pid, init):
        kill(pid)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert child(init, [pid]).end(bytearray(TOLD)).cpu_seconds == 7.5


def test_without_walls_every_process_is_waited_for(tmp_path: Path) -> None:
    with started(WAIT, WAIT) as (pid, init):
        assert child(init, [pid], scratch=str(tmp_path)).end(bytearray(TOLD)).cpu_seconds == 7.5


def test_init_is_asked_until_it_has_buried_all() -> None:
    with started(WAIT, WAIT, WAIT) as (one, other, init), pipe() as (read, write):
        waiting = child(init, [one, other], status=read)
        asked: list[None] = []

        def answer_the_second() -> None:
            asked.append(None)
            if len(asked) == 2:
                os.write(write, TOLD)

        waiting.kill = answer_the_second
        assert waiting.end(bytearray()).cpu_seconds == 7.5
        assert len(asked) == 2


def child(
    init: int, tree: list[int] | Callable[[], list[int]], *, status: int = -1, scratch: str | None = None
) -> Child:
    """Returns a child with real processes and no pipes but the one from init."""
    look = tree if callable(tree) else lambda: tree
    return Child(init, -1, -1, -1, -1, status, 0.0, look, lambda: None, scratch)


@contextmanager
def started(*sources: str) -> Iterator[list[int]]:
    """Lends processes that run the sources."""
    processes = [subprocess.Popen([sys.executable, "-S", "-c", source]) for source in sources]
    try:
        yield [process.pid for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """Lends a pipe."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
