from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

from speciate.testing.command_line import CommandLine

QUESTION = b"[y/n]"


def _answer(arguments: list[str], folder: Path, answers: list[bytes]) -> tuple[int, str]:
    """Runs speciate on a terminal of its own and answers each question with the next answer."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "speciate", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder) as process:
        os.close(theirs)
        seen, asked, deadline = b"", 0, time.monotonic() + 60
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.2)[0]:
                continue
            try:
                seen += os.read(ours, 65536)
            except OSError:  # the other side has ended
                break
            if seen.count(QUESTION) > asked:
                os.write(ours, answers[asked] + b"\n")
                asked += 1
        os.close(ours)
        return process.wait(timeout=60), seen.decode()


def test_each_program_is_shown_and_only_approved_ones_are_evaluated(cli: CommandLine, task: Path) -> None:
    words = ["run", "sum", "--approve", "--candidates", "3", "--out", "run", "--driver", "sequential"]
    code, seen = _answer(words, task.parent, [b"y", b"what?", b"n", b"yes"])
    assert code == 0
    assert seen.count("+++ b/numbers.py") == 3
    assert seen.count("[y/n]") == 4  # what is neither yes nor no is asked again
    value = cli("show", "run", "--json").json
    assert value["counts"]["rejected"] == {"screen": 1}
    rejected = cli("show", "run", "--candidate", "2", "--json").json["rejections"]
    assert [rejection["reason"] for rejection in rejected] == ["not_approved"]


def test_a_program_cannot_hide_in_control_characters(task: Path) -> None:
    reply = "Summary: kind\n\n```python\nNUMBERS = [1]  # \x1b[1A\x1b[2K\n```\n"
    (task.parent / "replies.jsonl").write_text(json.dumps({"reply": reply}))
    words = ["run", "sum", "--approve", "--candidates", "1", "--out", "run", "--set", "mutation.model.full=1"]
    code, seen = _answer([*words, "--model", "scripted:replies.jsonl"], task.parent, [b"n"])
    assert code == 0
    assert r"# \x1b[1A\x1b[2K" in seen


def test_progress_is_redrawn_on_a_terminal(task: Path) -> None:
    code, seen = _answer(["run", "sum", "--candidates", "20", "--out", "run"], task.parent, [])
    assert code == 0
    assert "best none yet" in seen or "valid " in seen
    assert "\x1b[" in seen  # the cursor was moved
