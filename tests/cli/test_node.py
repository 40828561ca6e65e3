from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine
from speciate.testing.nats_server import NatsServer

ROUNDS = ("--rounds", 2, "--iterations", 4, "--driver", "sequential")
SECRET = "open-sesame-1234"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    server = NatsServer(tmp_path / "broker", settings={"authorization": f'{{ token: "{SECRET}" }}'})
    try:
        yield server.start()
    finally:
        server.kill()


def test_two_nodes_exchange_champions_and_no_secret_is_written(
    cli: CommandLine, task: Path, broker: NatsServer
) -> None:
    secret_url = broker.url.replace("//", f"//{SECRET}@")
    common = ("node", task, "--transport", secret_url, "--ensemble", "sums", *ROUNDS)
    first = cli(*common, "--name", "a", "--out", "a", "--json")
    assert first.code == 0
    assert first.json["node"] | {"incarnation": ""} == {
        "name": "a",
        "ensemble": "sums",
        "incarnation": "",
        "transport": broker.url,
    }
    assert first.json["champions"] == {"published": 2, "received": 0, "rejected": 0, "unsent": 0}
    second = cli(*common, "--name", "b", "--out", "b", "--json")
    assert second.json["champions"]["received"] == 2
    assert "2 received from a (round 1), a (round 2)" in second.err
    for said in (first, second):
        assert SECRET not in said.out + said.err
    written = [path for path in Path.cwd().rglob("*") if path.is_file() and "broker" not in path.parts]
    assert not [path for path in written if SECRET.encode() in path.read_bytes()]


def test_a_node_goes_on_by_its_own_command_and_by_resume(
    cli: CommandLine, task: Path, broker: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NATS_TOKEN", SECRET)
    command = ("node", task, "--transport", broker.url, "--name", "a", *ROUNDS)
    assert cli(*command, "--candidates", 3).code == 0
    assert Path("runs/ensemble-a/node.json").is_file()
    again = cli(*command, "--candidates", 6)
    assert "Going on with sum in runs/ensemble-a, node a of ensemble, after 3 candidates" in again.err
    last = cli("resume", "runs/ensemble-a", "--candidates", 100, "--json")
    assert last.json["stop_reason"] == "rounds"
    assert last.json["node"]["name"] == "a"


def test_a_folder_with_another_node_and_a_name_that_is_taken_are_refused(
    cli: CommandLine, task: Path, broker: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NATS_TOKEN", SECRET)
    command = ("node", task, "--transport", broker.url, *ROUNDS)
    assert cli(*command, "--name", "a", "--out", "a").code == 0
    other = cli(*command, "--name", "b", "--out", "a")
    assert (other.code, "holds the node a of ensemble, not b" in other.err) == (2, True)
    taken = cli(*command, "--name", "a", "--out", "second")
    assert (taken.code, "there is a node a in ensemble already" in taken.err) == (2, True)
    assert cli(*command, "--name", "a", "--out", "third", "--take-over").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--transport", "redis://x", "--name", "a", *ROUNDS), "nats://"),
        (("--transport", "nats://h", "--name", "a b", *ROUNDS), "no name for a node"),
        (("--transport", "nats://h", "--name", "..", *ROUNDS), "no dot in front"),
        (("--transport", "nats://h", "--name", "a"), "--rounds"),
        (("--transport", "nats://h", "--name", "a", *ROUNDS, "--set", "ensemble.clock=virtual"), "wall"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    cli: CommandLine, task: Path, words: tuple[str | int, ...], message: str
) -> None:
    said = cli("node", task, *words)
    assert (said.code, message in said.err) == (2, True)
    assert not Path("runs").exists()


def test_a_node_killed_by_the_system_is_gone_on_with(
    cli: CommandLine, task: Path, broker: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["node", str(task), "--transport", broker.url, "--name", "a", "--out", "a"]
    words += ["--rounds", "50", "--iterations", "30", "--candidates", "100000"]
    environment = {**os.environ, "NATS_TOKEN": SECRET}
    process = subprocess.Popen(
        [sys.executable, "-m", "speciate", *words], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    deadline = time.monotonic() + 60
    while "Round 2:" not in process.stderr.readline():
        assert time.monotonic() < deadline
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    monkeypatch.setenv("NATS_TOKEN", SECRET)
    said = cli("resume", "a", "--json")
    assert said.json["stop_reason"] == "rounds"
    assert said.json["champions"]["unsent"] == 0
