"""What a process does before its turn, so that it does it fast when it counts.

After a fork every page is copied when it is first written to, and that is a third of what a small candidate
costs. Candidate and keeper stand ready before their job arrives, so each goes once through the motions of a
job then: the same code, a program of ours, nothing of the task's. Nothing of it is left in the process but
copied pages; its CPU time is on nobody's bill. Standard library only, numpy where it is warm anyway.
"""

from __future__ import annotations

import os
import shutil
import sys

from speciate.evaluators import frame, harness, wire

_NAME = "speciate_rehearsal"
_PROGRAM = """
import math
def answer(case):
    squares = [math.sqrt(number) ** 2 for number in range(50)]
    table = {str(key): (key, value) for key, value in enumerate(squares)}
    return {'largest': max(table.values()), 'names': sorted(table)[:3], 'case': case}
"""
_WITH_NUMPY = """
import numpy as np
_plain = answer
def answer(case):
    array = np.sqrt(np.asarray(case, dtype=float)) * 2.0 + np.arange(len(case))
    return _plain(case) | {'array': array[array > 1.0], 'sum': float(array.sum())}
"""


def candidate(setting: harness.Setting) -> None:
    """Goes through a small job as the candidate's process will: read, write files, import, answer, encode."""
    text = _PROGRAM + (_WITH_NUMPY if "numpy" in sys.modules else "")
    job = frame.decode(frame.encode({"files": [[f"{_NAME}.py", text]], "seed": 0}))
    here = os.getcwd()  # noqa: PTH109 (no Path: it goes back to where it was)
    folder = harness.write_files(setting, job["files"])
    try:
        harness.seed(job["seed"])
        if setting.python:
            program = harness.load(folder / f"{_NAME}.py")
            case = frame.decode(frame.encode([1.0, 2.0, 3.0]))
            frame.encode(program.answer(case), limit=setting.output_bytes)
    finally:
        sys.modules.pop(_NAME, None)
        os.chdir(here)
        shutil.rmtree(folder)


def keeper() -> None:
    """Goes through the messages of a small job as its keeper will."""
    message = wire.pack({"mode": "run"}, [b"program", b"case"])
    wire.pack(dict(wire.unpack(message[wire.LENGTH.size :]).header), [b"", b"", b""])
