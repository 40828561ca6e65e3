from __future__ import annotations

from pathlib import Path

from speciate.testing.command_line import CommandLine


def test_a_report_is_written_beside_the_run(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "10", "--out", "run")
    value = cli("report", "run", "--json").json
    assert value["files"][0] == "run/report/report.md"
    assert all(Path(file).stat().st_size > 0 for file in value["files"])
    assert "sum" in Path("run/report/report.md").read_text()


def test_a_report_of_no_run_is_one_sentence(cli: CommandLine) -> None:
    said = cli("report", "nowhere")
    assert said.code == 2
    assert "holds no run" in said.err
