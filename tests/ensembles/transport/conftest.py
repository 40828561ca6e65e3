"""Brokers and nodes that live as long as a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from speciate.testing.nats_server import NatsServer


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    server = NatsServer(tmp_path / "broker")
    try:
        yield server.start()
    finally:
        server.kill()
