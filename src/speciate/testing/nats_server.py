"""A real NATS broker on a free port of this machine, which can be killed and started again on its store."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from speciate.records import Seconds

PROGRAM = "nats-server"
PATIENCE: Seconds = 10.0


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate that vouches for itself, and its key."""

    certificate: Path
    key: Path


class NatsServer:
    """A broker with JetStream.

    Args:
        folder: keeps its store, settings and log; what is there already goes on.
        settings: further lines of its configuration.
        certificate: encrypts connections, or None for plain ones.
        port: where it listens; None for a free one.
    """

    def __init__(
        self,
        folder: Path,
        *,
        settings: Mapping[str, str] | None = None,
        certificate: Certificate | None = None,
        port: int | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.port = port or free_port()
        self._scheme = "nats" if certificate is None else "tls"
        self._process: subprocess.Popen[bytes] | None = None
        lines = {
            "listen": f"127.0.0.1:{self.port}",
            "jetstream": f'{{ store_dir: "{folder / "store"}" }}',
            **(settings or {}),
        }
        if certificate is not None:
            files = f'cert_file: "{certificate.certificate}", key_file: "{certificate.key}"'
            lines["tls"] = f"{{ {files} }}"
        text = "".join(f"{name}: {value}\n" for name, value in lines.items())
        (folder / "broker.conf").write_text(text)

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"{self._scheme}://127.0.0.1:{self.port}"

    def start(self) -> NatsServer:
        """Starts it and returns when it listens."""
        program = shutil.which(PROGRAM, path="/usr/sbin:/usr/local/bin:/usr/bin:/bin")
        if program is None:
            pytest.skip(
                "NO NATS BROKER HERE: exchange over a network is NOT tested; apt-get install nats-server"
            )
        log = (self.folder / "broker.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [program, "-c", str(self.folder / "broker.conf")], stdout=log, stderr=log
            )
        deadline = time.monotonic() + PATIENCE
        while not self._listens():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "broker.log").read_text())
            time.sleep(0.01)
        return self

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """Ends it as a power cut would, except that the disk lives."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ends it in order."""
        self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """Lets it answer nothing, with all connections open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets it go on."""
        self._signal(signal.SIGCONT)

    def forget(self) -> None:
        """Throws its store away; it must not run."""
        shutil.rmtree(self.folder / "store")

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._signal(signal.SIGCONT)
            self._signal(number)
            self._process.wait(PATIENCE)
            self._process = None

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)


class Brokers:
    """Makes brokers and kills them all in the end.

    Args:
        folder: each broker gets a folder in it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: list[NatsServer] = []

    def new(
        self, *, settings: Mapping[str, str] | None = None, certificate: Certificate | None = None
    ) -> NatsServer:
        """Returns a broker that does not run yet; see `NatsServer`."""
        place = self._folder / f"broker-{len(self._made)}"
        broker = NatsServer(place, settings=settings, certificate=certificate)
        self._made.append(broker)
        return broker

    def __enter__(self) -> Brokers:
        return self

    def __exit__(self, *_: object) -> None:
        for broker in self._made:
            broker.kill()


def free_port() -> int:
    """Returns a port on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def self_signed(folder: Path) -> Certificate:
    """Makes a certificate for this machine by `openssl`; skips the test, loudly, where that is missing."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("NO OPENSSL HERE: encrypted connections are NOT tested; apt-get install openssl")
    made = Certificate(folder / "broker.pem", folder / "broker.key")
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(made.key), "-out", str(made.certificate)]
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    subprocess.run([program, "req", "-x509", *curve, *files, *names], check=True, capture_output=True)
    return made
