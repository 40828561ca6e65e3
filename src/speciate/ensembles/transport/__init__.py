"""Transports carry champions between nodes. Each is a log that all append to and read from anywhere."""

from speciate.ensembles.transport.base import Halted, Heard, Reading, Transport
from speciate.ensembles.transport.in_process import Hub, Routes

__all__ = ["Halted", "Heard", "Hub", "Reading", "Routes", "Transport"]
