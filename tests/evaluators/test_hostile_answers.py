"""Candidates that attack answers: their own, those of others, and what is measured of them."""

from speciate.records import FailureKind
from speciate.testing.sandbox import Slot


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
    assert report.failure is None or report.failure.kind is FailureKind.MALFORMED
    assert slot.answer("def answer(case): return [case]", 1) == [1]


def test_the_rehearsal_left_nothing_but_copied_pages(slot: Slot) -> None:
    source = """
import gc, os, random, sys
def answer(case):
    words = [name for name in sys.modules if 'rehearsal' in name and 'evaluators' not in name]
    return [words, os.getcwd(), sys.path[0], sorted(os.listdir('.')), random.random()]
"""
    first, second = slot.answer(source), slot.answer(source)
    assert isinstance(first, list)
    assert first[:4] == [[], "/tmp/program", "/tmp/program", ["initial.py", "table.txt"]]
    assert first == second
