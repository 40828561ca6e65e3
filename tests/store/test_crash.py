from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from speciate.records import Chosen, Patched, Replied
from speciate.store import open_reader, open_store

WRITERS = """
import asyncio, os, sys
from pathlib import Path
from speciate.records import Chosen, Patched, Replied, TextRef, Usage, text_hash
from speciate.store import open_store
import speciate.store.sql

def say(word):
    os.write(1, f"{word}\\n".encode())  # in one piece, whenever the kill comes

def write():
    say(os.getpid())
    store = open_store(Path(sys.argv[1]))
    ordinal = sum(1 for s in store.events() if isinstance(s.event, Chosen))
    while True:
        text = f"answer {ordinal} " * 100
        digest = text_hash(text)
        events = [
            Chosen(ordinal=ordinal),
            Replied(ordinal=ordinal, text=TextRef(digest), model="m", usage=Usage(calls=1)),
            Patched(ordinal=ordinal, program=(("a.py", digest),)),
        ]
        asyncio.run(store.append(events, {digest: text}))
        say(ordinal)
        ordinal += 1

for line in sys.stdin:
    writer = os.fork()
    if writer == 0:
        write()
    os.waitpid(writer, 0)
    say("dead")
"""
"""Starts a writer for each line it reads; a writer says its process id and each ordinal written."""


def test_a_killed_writer_loses_nothing_it_acknowledged_and_leaves_nothing_half(tmp_path: Path) -> None:
    rng = random.Random(3)
    command = [sys.executable, "-c", WRITERS, str(tmp_path)]
    acknowledged = -1
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writers:
        assert writers.stdin is not None
        assert writers.stdout is not None
        for _ in range(10):
            print("go", file=writers.stdin, flush=True)
            pid = int(writers.stdout.readline())
            assert parent_of(pid) == writers.pid  # it is about to be killed
            acknowledged = int(writers.stdout.readline())
            watch_a_prefix(tmp_path, acknowledged)
            time.sleep(rng.random() * 0.05)
            os.kill(pid, signal.SIGKILL)
            while (line := writers.stdout.readline()) != "dead\n":
                acknowledged = int(line)
            check_whole(tmp_path, acknowledged)


def parent_of(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("PPid:")))


def watch_a_prefix(folder: Path, acknowledged: int) -> None:
    """Reads while the writer lives: whole transactions, in order, nothing acknowledged is missing."""
    reader = open_reader(folder)
    seqs = [s.seq for s in reader.events()]
    assert seqs == list(range(1, len(seqs) + 1))
    assert len(seqs) >= 3 * (acknowledged + 1)
    more = [s.seq for s in reader.events(after=len(seqs))]
    assert more == list(range(len(seqs) + 1, len(seqs) + 1 + len(more)))
    reader.close()


def check_whole(folder: Path, acknowledged: int) -> None:
    store = open_store(folder)
    events = [s.event for s in store.events()]
    kinds = [type(event) for event in events]
    assert kinds == [Chosen, Replied, Patched] * (len(events) // 3)
    assert len(events) // 3 in (acknowledged + 1, acknowledged + 2)
    for event in events:
        if isinstance(event, Replied):
            assert store.text(event.text.text).startswith(f"answer {event.ordinal} ")
    store.close()
