import asyncio
import os
import time
from pathlib import Path

from speciate.evaluators import limits
from speciate.tasks import Limits, Task
from speciate.testing.sandbox import answering_task, ask, running

UNSTOPPABLE = """
import ctypes, signal, time
import numpy
libc = ctypes.CDLL(None)
def answer(case):
    signal.signal(signal.SIGCONT, lambda *_: None)
    event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT)
    for millisecond in range(1, 21):
        timer, times = ctypes.c_void_p(), (ctypes.c_long * 4)(0, millisecond * 10**6, 0, millisecond * 10**6)
        libc.timer_create(1, event, ctypes.byref(timer))
        libc.timer_settime(timer, 0, times, None)
    time.sleep(0.4)
    return numpy.zeros(3 << 20, dtype=numpy.uint8)
from speciate.evaluators import harness
def spin():
    while True: pass
send = harness._send
def send_and_go_on(setting, tag, payload):
    send(setting, tag, payload)
    if tag == b'A': spin()
harness._send = send_and_go_on
"""


def test_a_candidate_that_undoes_its_stop_gains_nothing_from_a_busy_engine(tmp_path: Path) -> None:
    """Its answer is too large for a socket, so the keeper has to wait for the engine."""
    bounds = Limits(cpu_seconds=1, wall_seconds=5, memory_mb=256, processes=8, output_mb=4)
    gained = asyncio.run(_cpu_while_busy(answering_task(tmp_path, limits=bounds)))
    assert gained < 0.5


async def _cpu_while_busy(task: Task) -> float:
    """Returns the most CPU seconds that one process gained while the engine did something else."""
    async with running(task) as pool:
        job = asyncio.create_task(ask(pool, UNSTOPPABLE))
        await asyncio.sleep(0.2)  # it has its job and will answer soon
        before = _spent()
        time.sleep(1.6)  # noqa: ASYNC251 (that is the point)
        gained = max(spent - before.get(pid, 0.0) for pid, spent in _spent().items())
        report = await job
        assert report.failure is None, report.failure
        return gained


def _spent() -> dict[int, float]:
    """Returns the CPU seconds of each process below this one."""
    return {pid: limits.cpu_seconds(pid) for pid in limits.descendants(os.getpid())}
