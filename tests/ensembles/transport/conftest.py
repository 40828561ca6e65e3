"""Brokers and nodes that live as long as a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from speciate.testing.nats_server import Brokers, NatsServer


@pytest.fixture
def brokers(tmp_path: Path) -> Iterator[Brokers]:
    with Brokers(tmp_path) as brokers:
        yield brokers


@pytest.fixture
def broker(brokers: Brokers) -> NatsServer:
    return brokers.new().start()
