"""Ctrl-C at the worst of moments, in processes of their own: no traceback, and the run goes on from there."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine

PRESS = "import signal; press = lambda *_, **__: signal.raise_signal(signal.SIGINT)"

MOMENTS = {
    "as each database closes": """
from sqlalchemy.engine.default import DefaultDialect
close = DefaultDialect.do_close
DefaultDialect.do_close = lambda *given: (press(), close(*given))
""",
    "as the run is told about": """
from speciate.cli import ending
ending.describe = press
""",
    "as its end is told about": """
from speciate.cli import ending, main
ending.describe = main.report_failure = press
""",
    "as the interpreter shuts down": """
import atexit
atexit.register(press)
""",
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_is_stopped_without_a_traceback_and_goes_on(cli: CommandLine, task: Path, moment: str) -> None:
    code = f"{PRESS}\n{MOMENTS[moment]}\nfrom speciate.cli.main import main\nmain()"
    words = ["run", str(task), "--candidates", "5", "--out", "run", "--driver", "sequential"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode in (130, -signal.SIGINT)
    assert cli("resume", "run", "--candidates", "10", "--json").json["counts"]["proposed"] == 10
