"""A small task whose candidates ask a model while they are evaluated."""

from __future__ import annotations

from pathlib import Path

CALLS = 3
"""Most calls a case."""

CASES = 2
REPEATS = 2

_RUN = """
def run(program, case, query):
    return program.answer(case, query)
"""

_SCORE = f"""
def cases(context):
    return [{{"name": f"c{{i}}", "data": i}} for i in range({CASES})]


def score(case, data):
    return {{"values": {{"length": len(str(data))}}, "feedback": str(data)}}


def aggregate(results):
    count = len(results)
    return {{
        "objectives": {{
            "length": sum(r["values"]["length"] for r in results) / count,
            "calls": sum(r["values"]["calls"] for r in results) / count,
        }},
    }}
"""

_INITIAL = """
# EVOLVE-BLOCK-START
ASKS = 1


def answer(case, query):
    said = ""
    for number in range(ASKS):
        said += query(f"question {case}", "", 0.5)
    return said
# EVOLVE-BLOCK-END
"""

_TOML = f"""
name = "agents"
[[objectives]]
name = "length"
[[objectives]]
name = "calls"
direction = "minimize"
[evaluation]
gateway = true
repeats = {REPEATS}
stochastic = true
[limits]
cpu_seconds = 5.0
wall_seconds = 20.0
memory_mb = 256
processes = 8
output_mb = 1.0
[parameters]
model = "{{model}}"
calls = {CALLS}
max_tokens = 123
"""


def write_agent_task(folder: Path, *, model: str = "simulated:careful") -> Path:
    """Writes the task's files; the longer what a candidate returns, the better, and the fewer its calls.

    Args:
        folder: is made.
        model: spec of the model that candidates ask.
    """
    folder.mkdir()
    files = {
        "task.toml": _TOML.replace("{model}", model),
        "run.py": _RUN,
        "score.py": _SCORE,
        "initial.py": _INITIAL,
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder
