"""Candidates that attack their limits and other processes: each harms itself alone, the next one is fine."""

import os
import time

import pytest

from speciate.evaluators.limits import descendants
from speciate.records import FailureKind
from speciate.testing.sandbox import Slot

K = FailureKind

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
    "memory of threads that outlive their first": (
        "import ctypes, mmap, os, threading, time\ndef hold():\n  time.sleep(0.1)\n"
        "  block = mmap.mmap(-1, 100 << 20, flags=mmap.MAP_PRIVATE)\n"
        "  for i in range(0, len(block), 4096): block[i] = 1\n  time.sleep(9)\n"
        "for _ in range(3):\n  if os.fork() == 0:\n    threading.Thread(target=hold, daemon=True).start()\n"
        "    ctypes.CDLL(None).pthread_exit(None)\n"
        "time.sleep(9)",
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
    alone = settled()
    for _ in range(5):
        assert slot.answer(daemon) == 1
    assert settled() == alone


def settled() -> int:
    """Returns how many processes the slot has, once that has not changed for a while."""
    count, since = -1, time.monotonic()
    while time.monotonic() - since < 0.3:
        now = len(list(descendants(os.getpid())))
        if now != count:
            count, since = now, time.monotonic()
        time.sleep(0.02)
    return count


def test_nobody_but_init_can_write_a_candidates_bill(slot: Slot) -> None:
    forge = """
import os, signal, time
def answer(case):
    burn = time.process_time() + 0.2
    while time.process_time() < burn: pass
    bill, written = bytes(20), []
    for descriptor in range(5, 4096):
        try: os.write(descriptor, bill)
        except OSError: continue
        written.append(descriptor)
    return written
"""
    report = slot.ask(forge)
    assert report.failure is None, report.failure
    assert report.cases[0].data == []
    assert report.cpu_seconds >= 0.2


def test_children_that_nobody_waited_for_are_on_the_bill(slot: Slot) -> None:
    daemons = """
import os, time
def answer(case):
    read, write = os.pipe()
    for _ in range(2):
        if os.fork() == 0:
            os.setsid()
            while time.process_time() < 0.2: pass
            os.write(write, b'x')
            time.sleep(60)
    for _ in range(2): os.read(read, 1)
    return 'burnt'
"""
    report = slot.ask(daemons)
    assert report.failure is None, report.failure
    assert report.cpu_seconds >= 0.4


def test_a_child_that_was_waited_for_is_on_the_bill_with_its_time_and_memory(slot: Slot) -> None:
    parent = """
import os, time
def answer(case):
    if os.fork() == 0:
        block = b'x' * (96 << 20)
        while time.process_time() < 0.2: pass
        os._exit(0)
    os.wait()
    return 'waited'
"""
    report = slot.ask(parent)
    assert report.failure is None, report.failure
    assert report.cpu_seconds >= 0.2
    assert report.memory_mb is not None
    assert report.memory_mb >= 96


def test_a_thread_that_goes_on_after_the_answer_is_ended_with_its_candidate(slot: Slot) -> None:
    source = """
import os, threading
def work():
    while True:
        try:
            if os.fork() == 0: os._exit(0)
        except OSError: pass
def answer(case):
    threading.Thread(target=work, daemon=True).start()
    return 1
"""
    alone = settled()
    for _ in range(10):
        assert slot.answer(source) == 1
    assert slot.answer("def answer(case): return 2") == 2
    assert settled() == alone


def test_a_candidate_that_signals_its_init_ends_itself_alone(slot: Slot) -> None:
    """As root init is another user's; an ordinary user's obeys and kills its world, as for its keeper."""
    source = """
import os, time
def answer(case):
    for number in (17, 10, 9, 15): os.kill(1, number)
    time.sleep(60)
"""
    report = slot.ask(source)
    assert report.failure is not None
    assert report.failure.kind in {K.EXCEPTION, K.CRASH}
    assert slot.answer("def answer(case): return 1") == 1
