"""What the pages show works."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine

DOCS = Path(__file__).parents[1] / "docs"
FILE = re.compile(r"^```\w+\n(?:#|//) (\w+)/([\w.]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


@pytest.mark.parametrize("kind", ["plain", "command", "trusted"])
def test_the_tasks_of_the_page_run(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if kind == "command" and shutil.which("cc") is None:
        pytest.skip("no C compiler")
    for folder, name, text in FILE.findall((DOCS / "tasks.md").read_text()):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    cli = CommandLine(capsys)
    assert "Valid" in cli("check", kind).out.splitlines()
    value = cli("run", kind, "--candidates", "10", "--json").json
    assert value["counts"]["valid"] > 1


def test_the_program_of_the_python_page_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (DOCS / "python.md").read_text(), re.DOTALL | re.MULTILINE)
    (tmp_path / "page.py").write_text("\n".join(blocks))  # a file, because tasks are known by their source
    done = subprocess.run(
        [sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert float(said[0].removeprefix("candidates ").split()[0]) < 0.05
    assert next(line for line in said if line.startswith("candidates:")).startswith("candidates: 301 ")
    assert float(next(line for line in said if line.startswith("the best:")).split()[-1]) < 0.05


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_links_inside_the_repository_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), target
