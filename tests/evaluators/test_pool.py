import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from speciate.errors import SandboxError, ScoreError, TaskError
from speciate.evaluators.jobs import Case, Job
from speciate.evaluators.pool import SandboxPool
from speciate.records import FailureKind, Program
from speciate.tasks import EvaluationSpec, Limits, ObjectiveSpec, Task, TaskSpec
from speciate.testing.sandbox import answering_task, ask, program, running

ECHO = "def answer(case): return case"


@pytest.mark.parametrize("unsafe", [False, True])
def test_answers_come_back_with_what_was_measured(tmp_path: Path, unsafe: bool) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path), unsafe=unsafe) as pool:
            source = "print('loaded')\nimport time\ndef answer(case):\n  time.sleep(case)\n  return case"
            report = await ask(pool, source, 0.0, 0.2)
            assert report.failure is None
            assert [case.data for case in report.cases] == [0.0, 0.2]
            assert report.cases[0].seconds < 0.2 <= report.cases[1].seconds <= report.seconds
            assert report.output == "loaded\n"
            assert 0 < report.cpu_seconds < 0.5
            assert report.memory_mb is not None
            assert 5 < report.memory_mb < 200

    asyncio.run(main())


@pytest.mark.parametrize("unsafe", [False, True])
def test_slots_run_at_once_and_waiting_does_not_count(tmp_path: Path, unsafe: bool) -> None:
    async def main() -> None:
        task = answering_task(tmp_path, limits=Limits(wall_seconds=2))
        async with running(task, slots=2, unsafe=unsafe) as pool:
            source = "import time\ndef answer(case):\n  time.sleep(0.7)\n  return time.monotonic()"
            reports = await asyncio.gather(*(ask(pool, source) for _ in range(6)))
            assert all(report.failure is None for report in reports)
            ends = sorted(report.cases[0].data for report in reports)
            assert ends[1] - ends[0] < 0.6 < ends[2] - ends[0]

    asyncio.run(main())


@pytest.mark.parametrize("unsafe", [False, True])
def test_a_loop_is_ended_at_its_cpu_limit_and_its_children_with_it(tmp_path: Path, unsafe: bool) -> None:
    async def main() -> None:
        task = answering_task(tmp_path, limits=Limits(cpu_seconds=0.3, wall_seconds=5))
        async with running(task, unsafe=unsafe) as pool:
            before = await settled()
            spawn = (
                "import os\nif os.fork() == 0:\n  os.setsid()\n  if os.fork(): os._exit(0)\nwhile True: pass"
            )
            report = await ask(pool, spawn)
            assert report.failure is not None
            assert report.failure.kind is FailureKind.CPU_LIMIT
            assert (await ask(pool, ECHO, 1)).cases[0].data == 1
            assert await settled() == before

    asyncio.run(main())


def test_a_hundred_candidates_leave_nothing_behind(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path), slots=2) as pool:
            await asyncio.gather(*(ask(pool, ECHO, [1.0] * 1000) for _ in range(20)))
            before = (await settled(), descriptors())
            memory = resident_mb()
            reports = await asyncio.gather(*(ask(pool, ECHO, [1.0] * 1000) for _ in range(100)))
            assert all(report.failure is None for report in reports)
            assert (await settled(), descriptors()) == before
            assert resident_mb() < memory + 20
        assert children() == []

    asyncio.run(main())


def test_a_pool_closed_twice_leaves_no_process_and_no_descriptor(tmp_path: Path) -> None:
    async def main() -> None:
        before = descriptors()
        pool = SandboxPool(answering_task(tmp_path), slots=2)
        await pool.start()
        await pool.close()
        await pool.close()
        assert children() == []
        assert descriptors() == before

    asyncio.run(main())


def test_a_start_that_is_cancelled_leaves_no_process(tmp_path: Path) -> None:
    async def main() -> None:
        start = asyncio.create_task(SandboxPool(answering_task(tmp_path), slots=50).start())
        await asyncio.sleep(0.5)
        assert children() != []
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start
        assert children() == []

    asyncio.run(main())


def test_a_server_that_dies_is_replaced_and_its_job_run_again(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path)) as pool:
            job = asyncio.create_task(
                ask(pool, "import time\ndef answer(case):\n  time.sleep(1)\n  return 5")
            )
            await asyncio.sleep(0.3)
            kill_all(children())
            report = await job
            assert report.failure is None
            assert report.cases[0].data == 5

    asyncio.run(main())


def test_a_waiting_process_that_died_is_no_candidates_fault(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path)) as pool:
            await settled()
            kill_all(children()[-1:])  # the candidate's process that stands ready, last in line
            await asyncio.sleep(0.3)
            report = await ask(pool, ECHO, 6)
            assert report.failure is None, report.failure
            assert report.cases[0].data == 6

    asyncio.run(main())


@pytest.mark.parametrize("unsafe", [False, True])
def test_an_init_killed_from_outside_is_the_end_of_its_candidate_alone(tmp_path: Path, unsafe: bool) -> None:
    """As the kernel might for want of memory; an init cannot be killed from inside."""

    async def main() -> None:
        async with running(answering_task(tmp_path), unsafe=unsafe) as pool:
            before = await settled()
            job = asyncio.create_task(ask(pool, "import time\ndef answer(case): time.sleep(2)"))
            await asyncio.sleep(0.5)
            kill_all(children()[-2:-1])  # init, parent of the candidate's only process
            report = await job
            assert report.failure is not None
            assert report.failure.kind is FailureKind.CRASH
            assert "killed from outside" in report.failure.message
            assert (await ask(pool, ECHO, 7)).cases[0].data == 7
            assert await settled() == before

    asyncio.run(main())


def test_a_candidate_starts_when_the_world_of_the_one_before_is_gone(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path)) as pool:
            alone = await settled()
            crowd = "import os, time\nfor _ in range(6):\n  if os.fork() == 0: time.sleep(60)\n" + ECHO
            for _ in range(5):
                assert (await ask(pool, crowd)).failure is None
                job = asyncio.create_task(ask(pool, "import time\ndef answer(case): time.sleep(0.5)"))
                await asyncio.sleep(0.3)
                assert processes() == alone
                assert (await job).failure is None

    asyncio.run(main())


def test_a_slot_that_keeps_dying_is_an_error_of_the_sandbox(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path)) as pool:
            job = asyncio.create_task(ask(pool, "import time\ndef answer(case): time.sleep(60)"))
            while not job.done():
                kill_all(children())
                await asyncio.sleep(0.4)
            with pytest.raises(SandboxError):
                await job

    asyncio.run(main())


def test_a_cancelled_job_frees_its_slot_and_ends_its_candidate(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path, limits=Limits(wall_seconds=60))) as pool:
            job = asyncio.create_task(ask(pool, "import time\ndef answer(case): time.sleep(50)"))
            await asyncio.sleep(0.3)
            job.cancel()
            with pytest.raises(asyncio.CancelledError):
                await job
            assert children() == []
            assert (await ask(pool, ECHO, "next")).cases[0].data == "next"

    asyncio.run(main())


@pytest.mark.parametrize("unsafe", [False, True])
def test_an_engine_killed_at_once_leaves_no_orphan(tmp_path: Path, unsafe: bool) -> None:
    engine = f"""
import asyncio
from pathlib import Path
from speciate.testing.sandbox import answering_task, ask, running
async def main():
    task = answering_task(Path({str(tmp_path)!r}))
    async with running(task, unsafe={unsafe}) as pool:
        print('started', flush=True)
        await ask(pool, "import time\\nmark = {str(tmp_path)!r}\\ndef answer(case): time.sleep(60)")
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", engine], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        time.sleep(0.3)
        family = descendants(process.pid)
        assert len(family) >= 4
        process.kill()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in family) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in family if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.parametrize("unsafe", [False, True])
def test_commands_see_the_program_and_report_their_exit(tmp_path: Path, unsafe: bool) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path), unsafe=unsafe) as pool:
            files = Program((("main.sh", "cat data.txt; echo oops >&2; exit 3"), ("data.txt", "äh")))
            report = await pool.command(files, ["sh", "{program}"])
            assert (report.stdout, report.stderr, report.exit_code, report.failure) == (
                "äh",
                "oops\n",
                3,
                None,
            )
            report = await pool.command(files, ["sh", "-c", "kill -9 $$"])
            assert report.exit_code == -9
            assert report.failure is not None
            assert report.failure.kind is FailureKind.CRASH
            report = await pool.command(files, ["yes"])
            assert report.failure is not None
            assert report.failure.kind is FailureKind.OUTPUT_LIMIT
            report = await pool.command(files, ["no-such-program"])
            assert report.failure is not None
            assert "no-such-program" in report.failure.message

    asyncio.run(main())


def test_a_command_is_ended_at_its_limits(tmp_path: Path) -> None:
    async def main() -> None:
        limits = Limits(cpu_seconds=0.3, wall_seconds=3, memory_mb=200, output_mb=1)
        async with running(answering_task(tmp_path, limits=limits)) as pool:
            spin = await pool.command(program(""), ["sh", "-c", "while :; do :; done"])
            sleep = await pool.command(program(""), ["sleep", "60"])
            assert spin.failure is not None
            assert spin.failure.kind is FailureKind.CPU_LIMIT
            assert spin.exit_code is None
            assert sleep.failure is not None
            assert sleep.failure.kind is FailureKind.WALL_LIMIT

    asyncio.run(main())


def test_plain_tasks_call_evaluate_with_the_path_of_a_program_of_several_files(tmp_path: Path) -> None:
    evaluate = "import runpy\ndef evaluate(path): return {'score': runpy.run_path(path)['value']}"
    (tmp_path / "evaluate.py").write_text(evaluate)
    spec = TaskSpec(
        name="plain", objectives=(ObjectiveSpec(name="score"),), evaluation=EvaluationSpec(kind="plain")
    )

    async def main() -> None:
        task = Task(spec=spec, initial=program(""), folder=tmp_path)
        async with running(task) as pool:
            files = Program(
                (("src/main.py", "from helper import number\nvalue = number"), ("helper.py", "number = 4"))
            )
            report = await pool.run(Job(files, "plain", (Case("plain"),)))
            assert report.failure is None
            assert report.cases[0].data == {"score": 4}

    asyncio.run(main())


def test_the_same_candidate_draws_the_same_numbers_and_repeats_draw_others(tmp_path: Path) -> None:
    source = (
        "import random, numpy\ndef answer(case): return [random.random(), numpy.random.random(), hash('x')]"
    )

    async def main() -> None:
        async with running(answering_task(tmp_path)) as pool:
            jobs = [Job(program(source), "run", (Case("a"),), seed=seed) for seed in (0, 0, 1)]
            first, again, other = [(await pool.run(job)).cases[0].data for job in jobs]
            assert first == again
            assert first[0] != other[0]
            assert first[1] != other[1]

    asyncio.run(main())


def test_a_traceback_shows_the_candidates_own_lines(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path)) as pool:
            report = await ask(pool, "def answer(case):\n    return 1 / case", 0)
            assert report.failure is not None
            assert report.failure.kind is FailureKind.EXCEPTION
            assert report.failure.message == "ZeroDivisionError: division by zero"
            assert 'File "initial.py", line 2, in answer' in report.failure.feedback
            assert "return 1 / case" in report.failure.feedback
            assert "harness" not in report.failure.feedback

    asyncio.run(main())


def test_files_that_leave_the_folder_are_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(answering_task(tmp_path)) as pool:
            for name in ("../x.py", "/etc/x.py", "a/../../x.py"):
                with pytest.raises(SandboxError, match="no file name"):
                    await pool.command(Program(((name, ""),)), ["true"])

    asyncio.run(main())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("import nothing_like_this", "nothing_like_this"),
        ("x = 1", "run"),
        (
            "import threading\nthreading.Thread(target=threading.Event().wait).start()\ndef run(p, c): ...",
            "threads",
        ),
    ],
)
def test_a_run_file_that_cannot_be_loaded_is_the_tasks_fault(
    tmp_path: Path, text: str, complaint: str
) -> None:
    task = answering_task(tmp_path)
    (tmp_path / "run.py").write_text(text)
    with pytest.raises(ScoreError, match=complaint):
        asyncio.run(SandboxPool(task, slots=2).start())
    assert children() == []


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    task = answering_task(tmp_path)
    (tmp_path / "run.py").unlink()
    with pytest.raises(TaskError, match=r"run\.py"):
        asyncio.run(SandboxPool(task, slots=1).start())


def test_a_pool_that_was_not_started_says_so(tmp_path: Path) -> None:
    pool = SandboxPool(answering_task(tmp_path), slots=1)
    with pytest.raises(SandboxError, match="started"):
        asyncio.run(ask(pool, ECHO))
    with pytest.raises(ValueError, match="one slot"):
        SandboxPool(answering_task(tmp_path), slots=0)


def kill_all(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # it died with one killed before
            os.kill(pid, signal.SIGKILL)


async def settled() -> int:
    """Returns how many processes there are once the next candidate of every slot stands ready."""
    count, since = processes(), time.monotonic()
    while time.monotonic() - since < 0.3:
        await asyncio.sleep(0.02)
        if processes() != count:
            count, since = processes(), time.monotonic()
    return count


def children() -> list[int]:
    return descendants(os.getpid())


def descendants(pid: int) -> list[int]:
    from speciate.evaluators.limits import descendants as walk

    return list(walk(pid))


def processes() -> int:
    return len(children())


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
