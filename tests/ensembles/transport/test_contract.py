"""One contract for all transports: in one process on either clock, and over a real broker."""

from __future__ import annotations

import pytest
from typing_extensions import override

from speciate.testing.meetings import Copies, InProcess, Meeting, OverNats, Virtual
from speciate.testing.nats_server import NatsServer
from speciate.testing.transports import OutageContract, TransportContract


class TestInProcessOnTheWallClock(TransportContract):
    @pytest.fixture
    @override
    def meeting(self) -> Meeting:
        return InProcess()


class TestInProcessOnTheVirtualClock(TransportContract):
    @pytest.fixture(params=[None, Copies()], ids=["direct", "copies"])
    @override
    def meeting(self, request: pytest.FixtureRequest) -> Meeting:
        return Virtual(request.param)


class TestNats(OutageContract):
    @pytest.fixture
    @override
    def meeting(self, broker: NatsServer) -> Meeting:
        return OverNats(broker)

    @override
    def cut(self, meeting: Meeting) -> None:
        assert isinstance(meeting, OverNats)
        meeting.broker.kill()

    @override
    def mend(self, meeting: Meeting) -> None:
        assert isinstance(meeting, OverNats)
        meeting.broker.start()
