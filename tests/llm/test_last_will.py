"""What dies when the process that named it is gone; each test plays that process by closing the pipe."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from speciate.llm.last_will import LastWill


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as process:
        yield process
        process.kill()


def children() -> set[int]:
    return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}


def test_what_is_named_dies(sleeper: subprocess.Popen[bytes]) -> None:
    will = LastWill()
    will.add(sleeper.pid)
    will.close()
    assert sleeper.wait(10) == -signal.SIGKILL


def test_what_was_taken_out_lives(sleeper: subprocess.Popen[bytes]) -> None:
    will = LastWill()
    will.add(sleeper.pid)
    will.remove(sleeper.pid)
    will.close()
    assert sleeper.poll() is None


def test_a_killed_executor_is_replaced_by_one_that_knows_all(sleeper: subprocess.Popen[bytes]) -> None:
    before = children()
    will = LastWill()
    will.add(sleeper.pid)
    (executor,) = children() - before
    os.kill(executor, signal.SIGKILL)
    os.waitid(os.P_PID, executor, os.WEXITED | os.WNOWAIT)  # its end of the pipe is closed by now
    will.remove(2**30)
    will.close()
    assert sleeper.wait(10) == -signal.SIGKILL


def test_nothing_is_left_behind_by_one_that_is_forgotten() -> None:
    before = children(), len(list(Path("/proc/self/fd").iterdir()))
    will = LastWill()
    assert children() > before[0]
    del will
    assert (children(), len(list(Path("/proc/self/fd").iterdir()))) == before
