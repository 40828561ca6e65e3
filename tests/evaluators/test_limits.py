import os
import subprocess
import sys
import time

import pytest

from speciate.evaluators import limits


def test_the_cpu_clock_of_a_process_is_the_one_it_sees_itself() -> None:
    before = time.process_time()
    seen = limits.cpu_seconds(os.getpid())
    assert before <= seen <= time.process_time()


def test_the_peak_stays_when_memory_is_given_back() -> None:
    before = limits.peak_bytes(os.getpid())
    block = bytearray(b"x") * (before + (32 << 20))
    peak = limits.peak_bytes(os.getpid())
    assert peak >= len(block)
    del block
    assert limits.peak_bytes(os.getpid()) >= peak - (1 << 20)  # the kernel counts pages in batches


def test_a_child_counts_once_it_was_waited_for() -> None:
    source = "import os\nif os.fork() == 0: os._exit(0)\ninput()\nos.wait()\nprint(1, flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-S", "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert not limits.had_children(process.pid)
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"1\n"
        assert limits.had_children(process.pid)
        process.kill()


def test_a_process_that_is_gone_is_told_apart() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    process.wait()
    assert limits.had_children(process.pid)
    for look in (limits.cpu_seconds, limits.peak_bytes):
        with pytest.raises(OSError):
            look(process.pid)
