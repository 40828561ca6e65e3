"""Transports carry champions between nodes. Each is a log that all append to and read from anywhere."""

from speciate.ensembles.transport.address import Address, read_address
from speciate.ensembles.transport.base import Halted, Heard, Reading, Transport
from speciate.ensembles.transport.in_process import Clocks, Hub, Routes
from speciate.ensembles.transport.nats import Nats

__all__ = [
    "Address",
    "Clocks",
    "Halted",
    "Heard",
    "Hub",
    "Nats",
    "Reading",
    "Routes",
    "Transport",
    "read_address",
]
