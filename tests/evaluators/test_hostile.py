"""Candidates that try to do harm: each harms itself alone, and the next one on its slot is fine."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from speciate.evaluators.jobs import Report
from speciate.evaluators.pool import SandboxPool
from speciate.records import FailureKind
from speciate.tasks import Limits
from speciate.testing.sandbox import answering_task, ask

K = FailureKind


class Slot:
    """A pool of one slot with its own event loop."""

    def __init__(self, runner: asyncio.Runner, pool: SandboxPool) -> None:
        self._runner = runner
        self._pool = pool

    def ask(self, source: str, *data: object) -> Report:
        return self._runner.run(ask(self._pool, source, *data))

    def answer(self, source: str, *data: object) -> object:
        report = self.ask(source, *data)
        assert report.failure is None, report.failure
        return report.cases[0].data


@pytest.fixture(scope="module")
def slot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slot]:
    limits = Limits(cpu_seconds=0.8, wall_seconds=4, memory_mb=128, processes=8, output_mb=1)
    task = answering_task(
        tmp_path_factory.mktemp("hostile task"), limits=limits, files={"table.txt": "visible"}
    )
    pool = SandboxPool(task, slots=1)
    with asyncio.Runner() as runner:
        runner.run(pool.start())
        yield Slot(runner, pool)
        runner.run(pool.close())


HARM = {
    "fork bomb": ("import os\nwhile True: os.fork()", {K.EXCEPTION, K.CPU_LIMIT}),
    "patient fork bomb": (
        "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass",
        {K.CPU_LIMIT, K.WALL_LIMIT},
    ),
    "thread bomb": (
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,)).start()",
        {K.EXCEPTION},
    ),
    "memory bomb": ("x = []\nwhile True: x.append(bytearray(1 << 24))", {K.MEMORY_LIMIT}),
    "memory of many": (
        "import os, time\nfor _ in range(5):\n  if os.fork() == 0: break\n"
        "x = b'x' * (100 << 20)\ntime.sleep(9)",
        {K.MEMORY_LIMIT},
    ),
    "endless loop": ("while True: pass", {K.CPU_LIMIT}),
    "loop that ignores signals": (
        "import signal\nfor s in range(1, 65):\n  try: signal.signal(s, signal.SIG_IGN)\n"
        "  except (OSError, ValueError): pass\nwhile True: pass",
        {K.CPU_LIMIT},
    ),
    "loop of children": (
        "import os\nfor _ in range(3):\n  if os.fork() == 0: break\nwhile True: pass",
        {K.CPU_LIMIT},
    ),
    "loop of disowned children": (
        "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nfor _ in range(20):\n"
        "  if os.fork() == 0:\n    while time.process_time() < 0.2: pass\n    os._exit(0)\n"
        "  try: os.wait()\n  except ChildProcessError: pass",
        {K.CPU_LIMIT},
    ),
    "sleep past the limit": ("import time\ntime.sleep(60)", {K.WALL_LIMIT}),
    "stopping itself": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", {K.WALL_LIMIT}),
    "endless output": ("while True: print('x' * 1000)", {K.OUTPUT_LIMIT}),
    "endless error output": ("import os\nwhile True: os.write(2, b'x' * 65536)", {K.OUTPUT_LIMIT}),
    "giant answer": ("def answer(case): return 'x' * (3 << 20)", {K.OUTPUT_LIMIT}),
    "giant array": ("import numpy\ndef answer(case): return numpy.zeros(1 << 20)", {K.OUTPUT_LIMIT}),
    "giant file": ("open('/tmp/f', 'wb').write(b'x' * (3 << 20))", {K.OUTPUT_LIMIT}),
    "filling /tmp": (
        "i = 0\nwhile True:\n  i += 1\n  open(f'/tmp/{i}', 'wb').write(b'x' * (1 << 20))",
        {K.EXCEPTION},
    ),
    "filling /dev/shm": (
        "i = 0\nwhile True:\n  i += 1\n  open(f'/dev/shm/{i}', 'wb').write(b'x' * (1 << 20))",
        {K.EXCEPTION},
    ),
    "os._exit": ("import os\nos._exit(0)", {K.EXIT}),
    "sys.exit": ("import sys\nsys.exit(0)", {K.EXIT}),
    "exit": ("exit()", {K.EXIT}),
    "BaseException": ("class E(BaseException): pass\nraise E('mine')", {K.EXCEPTION}),
    "exception that cannot be shown": (
        "class E(Exception):\n  def __str__(self): raise KeyboardInterrupt\nraise E",
        {K.EXCEPTION},
    ),
    "exception too large to be shown": ("raise ValueError('x' * (1 << 25))", {K.EXCEPTION}),
    "syntax error that cannot be shown": (
        "e = SyntaxError('x')\ne.lineno, e.text = 'one', object()\nraise e",
        {K.SYNTAX},
    ),
    "list without end": (
        "class L(list):\n  def __iter__(self):\n    while True: yield 1\ndef answer(case): return L()",
        {K.CPU_LIMIT, K.MEMORY_LIMIT},
    ),
    "array that repeats one number": (
        "import numpy\ndef answer(case): return numpy.broadcast_to(numpy.zeros(1), (1 << 40,))",
        {K.MEMORY_LIMIT, K.OUTPUT_LIMIT},
    ),
    "integer without end": (
        "import sys\nsys.set_int_max_str_digits(0)\ndef answer(case): return 10 ** 6000",
        {K.MALFORMED},
    ),
    "garbage collection that kills": (
        "import gc, os\ngc.callbacks.append(lambda *a: os._exit(5))\ngc.set_threshold(1)\n"
        "def answer(case): return [[] for _ in range(1000)]",
        {K.EXIT},
    ),
    "segfault": ("import ctypes\nctypes.string_at(0)", {K.CRASH}),
    "abort": ("import os\nos.abort()", {K.CRASH}),
    "killing itself": ("import os\nos.kill(os.getpid(), 9)", {K.CRASH}),
    "deep recursion": ("def f(n): return f(n + 1)\nf(0)", {K.EXCEPTION}),
    "bottomless recursion": (
        "import sys\nsys.setrecursionlimit(10**9)\nf = lambda n: [f(n + 1)]\nsorted([1, 2], key=f)",
        {K.CRASH, K.MEMORY_LIMIT, K.EXCEPTION, K.CPU_LIMIT},
    ),
    "deep answer": (
        "def answer(case):\n  x = []\n  for _ in range(1000): x = [x]\n  return x",
        {K.MALFORMED},
    ),
    "endless answer": ("def answer(case):\n  x = []\n  x.append(x)\n  return x", {K.MALFORMED}),
    "object as answer": ("def answer(case): return object()", {K.MALFORMED}),
    "deleting builtins": ("import builtins\nbuiltins.__dict__.clear()", {K.EXCEPTION, K.EXIT}),
    "emptying sys.modules": ("import sys\nsys.modules.clear()\nraise ValueError('x')", {K.EXCEPTION, K.EXIT}),
    "noise in the answer channel": ("import os\nos.write(4, b'x' * 100)", {K.MALFORMED, K.OUTPUT_LIMIT}),
    "an answer before the question": (
        "import os, struct\nos.write(4, struct.pack('<Q', 1) + b'A')\nimport time\ntime.sleep(9)",
        {K.MALFORMED},
    ),
    "an answer that is no frame": (
        "import os, struct, time\ndef answer(case):\n"
        "  os.write(4, struct.pack('<Q', 6) + b'Ahello')\n  time.sleep(9)",
        {K.MALFORMED},
    ),
    "a deep frame": (
        "import os, struct, time\ndef answer(case):\n  t = b'[' + b'[' * 9000 + b']' * 9000 + b',[]]'\n"
        "  os.write(4, struct.pack('<QcI', len(t) + 5, b'A', len(t))[:13] + t)\n  time.sleep(9)",
        {K.MALFORMED},
    ),
    "a giant length": ("import os\nos.write(4, b'\\xff' * 8)", {K.OUTPUT_LIMIT}),
    "an empty message": ("import os\nos.write(4, b'\\0' * 8)", {K.MALFORMED}),
    "a forged failure": (
        "import os, struct\nfrom speciate.evaluators import frame\n"
        "f = frame.encode({'kind': 'score', 'message': '', 'feedback': ''})\n"
        "os.write(4, struct.pack('<Q', len(f) + 1) + b'E' + f)\nimport time\ntime.sleep(9)",
        {K.MALFORMED},
    ),
    "reading stdin": ("input()", {K.EXCEPTION}),
    "raising its limits": (
        "import resource\nfor r in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC):\n"
        "  try: resource.setrlimit(r, (-1, -1))\n  except (OSError, ValueError): continue\n"
        "  raise SystemExit('raised')\n"
        "while True: pass",
        {K.CPU_LIMIT},
    ),
    "closing its descriptors": ("import os\nos.closerange(0, 100)", {K.EXIT, K.EXCEPTION}),
    "unknown import": ("import nothing_like_this", {K.IMPORT}),
    "syntax error": ("def answer(:", {K.SYNTAX}),
    "zombies": (
        "import os\nfor _ in range(100):\n  if os.fork() == 0: os._exit(0)",
        {K.EXCEPTION},
    ),
}


@pytest.mark.parametrize("name", HARM)
def test_harm_is_named_and_stays_where_it_was_done(slot: Slot, name: str) -> None:
    source, kinds = HARM[name]
    report = slot.ask(source if "def answer" in source else f"def answer(case): return 0\n{source}")
    assert report.failure is not None
    assert report.failure.kind in kinds, report
    assert report.failure.message
    assert report.cases == ()
    assert slot.answer("def answer(case): return case", "fine") == "fine"


def test_a_candidate_that_kills_everybody_it_can_harms_itself_alone(slot: Slot) -> None:
    source = """
import os, signal
def answer(case):
    refused = []
    for pid in (1, os.getppid(), -1, 2, 3, 4, 5):
        try: os.kill(pid, signal.SIGKILL if pid != os.getpid() else 0)
        except (ProcessLookupError, PermissionError): refused.append(pid)
    return os.getpid()
"""
    assert slot.answer(source) == 2
    assert slot.answer("def answer(case): return 1") == 1


def test_daemons_die_with_their_candidate(slot: Slot) -> None:
    daemon = """
import os, time
def answer(case):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    return 1
"""
    before = count_processes()
    for _ in range(5):
        assert slot.answer(daemon) == 1
    assert count_processes() <= before + 1


def count_processes() -> int:
    return sum(b"python" in _command(path) for path in Path("/proc").glob("[0-9]*/cmdline"))


def _command(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_no_network_and_no_socket_of_the_host_can_be_reached(slot: Slot, tmp_path: Path) -> None:
    with (
        socket.socket() as tcp,
        socket.socket(socket.AF_UNIX) as file,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        tcp.bind(("127.0.0.1", 0))
        file.bind(str(tmp_path / "socket"))
        abstract.bind("\0speciate-test-host")
        for listener in (tcp, file, abstract):
            listener.listen()
        addresses = {"tcp": tcp.getsockname()[1], "file": str(tmp_path / "socket")}
        source = """
import socket
def answer(case):
    reached = []
    tries = [
        (socket.AF_INET, ('127.0.0.1', case['tcp'])), (socket.AF_INET6, ('::1', case['tcp'])),
        (socket.AF_UNIX, case['file']), (socket.AF_UNIX, '\\0speciate-test-host'),
        (socket.AF_NETLINK, (0, 0)),
        (socket.AF_PACKET, ('lo', 0)), (40, None), (38, None),
    ]
    for family, address in tries:
        try:
            made = socket.socket(family, socket.SOCK_STREAM if family in (1, 2, 10, 40) else socket.SOCK_RAW)
            made.connect(address)
            reached.append([family, 'connected'])
        except OSError:
            pass
    return reached
"""
        assert slot.answer(source, addresses) == []


def test_the_file_system_holds_no_secret_and_nothing_to_write_but_the_private_folders(slot: Slot) -> None:
    source = """
import os, sys
STANDARD = f'/lib/python3.{sys.version_info[1]}'
def answer(case):
    secret, writable, names = [], [], []
    for folder, folders, files in os.walk('/'):
        if os.access(folder, os.W_OK): writable.append(folder)
        if folder == '/usr' or folder.endswith(('site-packages', STANDARD)):
            folders.clear()
            continue
        for name in files:
            path = os.path.join(folder, name)
            names.append(path)
            try:
                with open(path, 'rb') as file:
                    if b'hush-' + b'7431' in file.read(1 << 16): secret.append(path)
            except OSError: pass
    return {'secret': secret, 'writable': writable, 'score': [n for n in names if n.endswith('score.py')],
            'shadow': os.path.exists('/etc/shadow'), 'etc': os.listdir('/etc'), 'task': os.listdir('/task')}
"""
    seen = slot.answer(source)
    assert isinstance(seen, dict)
    assert seen["secret"] == []
    assert seen["score"] == []
    assert not seen["shadow"]
    assert {path for path in seen["writable"] if not path.startswith("/tmp/")} == {"/tmp", "/dev/shm"}
    assert set(seen["etc"]) <= {"passwd", "ld.so.cache", "alternatives", "localtime"}
    assert sorted(seen["task"]) == ["run.py", "table.txt"]


def test_environment_and_identity_are_our_own(slot: Slot) -> None:
    source = """
import os, socket
def answer(case):
    return {'names': sorted(os.environ), 'home': os.environ['HOME'], 'host': socket.gethostname(),
            'uid': os.getuid(), 'proc': os.listdir('/proc'), 'user': os.path.expanduser('~')}
"""
    seen = slot.answer(source)
    assert isinstance(seen, dict)
    threads = {f"{n}_NUM_THREADS" for n in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "BLIS", "VECLIB_MAXIMUM")}
    ours = {
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "MPLBACKEND",
        "PYTHONHASHSEED",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONPATH",
    }
    assert set(seen["names"]) - {"LD_LIBRARY_PATH", "PWD"} == ours | threads
    assert seen["home"] == seen["user"] == "/tmp"
    assert seen["host"] == "sandbox"
    assert seen["uid"] != 0
    assert seen["proc"] == []


def test_dangerous_system_calls_are_refused_and_no_capability_is_left(slot: Slot) -> None:
    source = """
import ctypes, os, struct
libc = ctypes.CDLL(None, use_errno=True)
def refused(number, *arguments):
    result = libc.syscall(number, *arguments)
    return result == -1 and ctypes.get_errno() in (1, 38)
def answer(case):
    calls = case if os.uname().machine == 'x86_64' else []
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    libc.capget(header, data)
    return {'allowed': [n for n in calls if not refused(n, 0, 0, 0, 0, 0)],
            'newuser': os.uname().machine == 'x86_64' and not refused(56, 0x10000011, 0, 0, 0, 0),
            'caps': list(data), 'bounding': [c for c in range(64) if libc.prctl(23, c, 0, 0, 0) == 1],
            'seccomp': libc.prctl(21, 0, 0, 0, 0), 'no_new_privs': libc.prctl(39, 0, 0, 0, 0)}
"""
    calls = [101, 165, 166, 272, 308, 250, 321, 323, 425, 310, 155, 161, 135, 304, 29, 319, 298, 435]
    seen = slot.answer(source, calls)
    expected = {
        "allowed": [],
        "newuser": False,
        "caps": [0] * 6,
        "bounding": [],
        "seccomp": 2,
        "no_new_privs": 1,
    }
    assert seen == expected


def test_only_five_descriptors_are_inherited(slot: Slot) -> None:
    source = """
import os
def answer(case):
    return [fd for fd in range(1024) if _open(fd)]
def _open(fd):
    try: os.fstat(fd)
    except OSError: return False
    return True
"""
    assert slot.answer(source) == [0, 1, 2, 3, 4]


def test_nothing_of_a_candidate_is_left_for_the_next(slot: Slot) -> None:
    leave = """
import os
def answer(case):
    for name in ('/tmp/left', '/dev/shm/left', '/tmp/program/left', os.path.expanduser('~/left2')):
        open(name, 'w').write('x')
    before = len(os.listdir('/tmp'))  # an environment that lies below /tmp stays visible there
    for i in range(10_000): open(f'/tmp/{i}', 'w').close()
    return len(os.listdir('/tmp')) - before
"""
    look = """
import os
def answer(case): return [os.listdir('/dev/shm'), sorted(os.listdir('.')), os.listdir('/tmp')]
"""
    clean = slot.answer(look)
    assert slot.answer(leave) == 10_000
    assert slot.answer(look) == clean
    assert str(clean).startswith("[[], ['initial.py', 'table.txt'], [")


def test_memory_holds_no_trace_of_other_candidates_or_later_cases(slot: Slot) -> None:
    slot.answer("def answer(case): return ['TRACE' + case + '0815'] * 1000", "-")
    look = """
import gc, sys
KINDS = (bytes, bytearray, str, list, dict, tuple)
def answer(case):
    frame, seen = sys._getframe(), []
    while frame is not None:
        seen.append(repr(frame.f_locals))
        frame = frame.f_back
    seen += [repr(o)[:10_000] for o in gc.get_objects() if isinstance(o, KINDS)]
    text, pairs = ''.join(seen), (('TRACE', '0815'), ('LATER', '4711'), ('c', '1'))
    return [word + case + number in text for word, number in pairs]
"""
    report = slot.ask(look, "-", "LATER-4711")
    assert report.failure is None
    assert report.cases[0].data == [False, False, False]


def test_patched_modules_change_nothing_but_the_own_answer(slot: Slot) -> None:
    source = """
import json, time, sys
json.dumps = lambda *a, **k: '[1, []]'
time.monotonic = time.perf_counter = time.time = lambda: 0.0
def answer(case):
    t = time.thread_time()
    while time.thread_time() - t < 0.1: pass
    return 7
"""
    report = slot.ask(source)
    assert report.failure is None
    assert report.cases[0].data == 1
    assert report.cases[0].seconds >= 0.1
    assert report.cpu_seconds >= 0.1
    assert slot.answer("def answer(case): return {'a': 7}") == {"a": 7}


def test_an_answer_cannot_be_sent_before_its_case(slot: Slot) -> None:
    source = """
import os, struct, time
from speciate.evaluators import frame
def answer(case):
    f = frame.encode(1)
    for _ in range(2): os.write(4, struct.pack('<Q', len(f) + 1) + b'A' + f)
    time.sleep(0.2)
    return 1
"""
    report = slot.ask(source, 1, 2, 3)  # it may answer as it likes: what it says is data, and judged outside
    assert report.failure is None or report.failure.kind is K.MALFORMED
    assert slot.answer("def answer(case): return [case]", 1) == [1]


def test_libraries_work_without_proc(slot: Slot) -> None:
    source = """
import multiprocessing, os, subprocess, sys, tempfile, threading
import numpy as np
def double(x): return 2 * x
def answer(case):
    with multiprocessing.get_context('fork').Pool(2) as pool: doubled = pool.map(double, [1, 2])
    with tempfile.TemporaryFile() as file: file.write(b'x')
    code = 'import numpy; print(numpy.arange(3).sum())'
    out = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True).stdout
    thread = threading.Thread(target=double, args=(1,)); thread.start(); thread.join()
    return [doubled, out.strip(), np.linalg.inv(np.eye(2)), os.cpu_count() > 0, open('table.txt').read()]
"""
    answer = slot.answer(source)
    assert isinstance(answer, list)
    doubled, printed, inverse, cpus, table = answer
    assert doubled == [2, 4]
    assert printed == "3"
    assert np.array_equal(inverse, np.eye(2))
    assert cpus
    assert table == "visible"
