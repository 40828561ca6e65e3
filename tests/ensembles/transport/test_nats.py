"""Champions over a real broker, which comes and goes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from speciate.ensembles.messages import MOST_ANNOUNCED
from speciate.ensembles.transport import Nats, read_address
from speciate.ensembles.transport.subjects import BUCKET, announcement, champion, claim
from speciate.errors import ConfigError, MissingExtraError
from speciate.records import INITIAL, Joined, MessageId, Program
from speciate.testing.nats_server import Brokers, NatsServer, free_port, self_signed
from speciate.testing.nodes import ENSEMBLE, at_once, heard, ids, joined, parcel
from speciate.testing.transports import play

A0, A1, B0 = MessageId("a.1", "first", 0), MessageId("a.1", "first", 1), MessageId("b", "first", 0)


def node(broker: NatsServer, *, take_over: bool = False) -> Nats:
    return Nats(read_address(broker.url, {}), take_over=take_over)


async def put_by_hand(broker: NatsServer, subject: str, data: bytes) -> None:
    import nats

    client = await nats.connect(broker.url)
    try:
        await client.jetstream().publish(subject, data)
    finally:
        await client.close()


def test_whoever_has_a_name_that_is_taken_is_told_what_to_do(broker: NatsServer) -> None:
    async def scene() -> None:
        async with at_once(node(broker), "a.1"):
            other = node(broker)
            with pytest.raises(ConfigError, match=r"already.*--take-over"):
                await other.join(joined("a.1", "second"), own=[])
            await other.leave(patience=0)

    play(scene())


def test_a_name_that_is_taken_over_ends_whoever_had_it(broker: NatsServer) -> None:
    async def scene() -> None:
        async with at_once(node(broker), "a.1") as first:
            second = node(broker, take_over=True)
            await second.join(joined("a.1", "second"), own=[])
            with pytest.raises(ConfigError, match="second"):
                await heard(first, 1)
            await second.leave(patience=0)

    play(scene())


def test_a_name_can_be_freed_at_the_broker(broker: NatsServer) -> None:
    async def scene() -> None:
        import nats

        async with at_once(node(broker), "a.1"):
            pass
        client = await nats.connect(broker.url)
        await (await client.jetstream().key_value(BUCKET)).delete(claim(ENSEMBLE, "a.1"))
        await client.close()
        second = node(broker)
        await second.join(joined("a.1", "second"), own=[])
        await second.leave(patience=0)

    play(scene())


def test_a_node_starts_without_a_broker_and_joins_when_it_appears(brokers: Brokers) -> None:
    broker, told = brokers.new(), list[str]()

    async def scene() -> None:
        a = Nats(read_address(broker.url, {}), tell=told.append)
        async with at_once(a, "a.1"), at_once(node(broker), "b") as b:
            await a.publish(parcel("a.1", 0), at=None)
            assert await b.fetch([A0]) == {}
            broker.start()
            assert ids(await heard(b, 1)) == [A0]
            assert await b.fetch([A0]) == {A0: parcel("a.1", 0).body}

    play(scene())
    assert "searching on" in told[0]
    assert "Connected" in told[-1]


def test_a_name_found_taken_late_ends_the_node_in_plain_words(brokers: Brokers) -> None:
    broker = brokers.new().start()

    async def scene() -> None:
        async with at_once(node(broker), "a.1"):
            pass
        broker.kill()
        late = node(broker)
        await late.join(joined("a.1", "second"), own=[])
        broker.start()
        with pytest.raises(ConfigError, match="already"):
            await heard(late, 1)
        await late.leave(patience=1)

    play(scene())


@pytest.mark.parametrize("memory", ["keeps its store", "lost its store"])
def test_a_broker_that_dies_and_comes_back_loses_nothing(broker: NatsServer, memory: str) -> None:
    async def scene() -> None:
        async with at_once(node(broker), "a.1") as a, at_once(node(broker), "b") as b:
            await a.publish(parcel("a.1", 0), at=None)
            position = (await heard(b, 1)).position
            broker.kill()
            await a.publish(parcel("a.1", 1), at=None)
            if memory == "lost its store":
                broker.forget()
            broker.start()
            again = await heard(b, 1 if memory == "keeps its store" else 2, after=position)
            assert ids(again) == ([A1] if memory == "keeps its store" else [A0, A1])
            assert await b.fetch([A0]) == {A0: parcel("a.1", 0).body}

    play(scene())


def test_messages_put_there_by_hand_arrive_as_they_are(broker: NatsServer) -> None:
    """Twice, out of order, unreadable, too long: the exchange decides what they are worth."""

    async def scene() -> None:
        async with at_once(node(broker), "b") as b:
            early, late = parcel("a.1", 0), parcel("a.1", 1)
            twice = announcement(ENSEMBLE, MessageId("a.1", "other-copy", 0))
            await put_by_hand(broker, announcement(ENSEMBLE, A1), late.head)
            await put_by_hand(broker, announcement(ENSEMBLE, A0), early.head)
            await put_by_hand(broker, twice, early.head)
            reading = await heard(b, 3)
            assert ids(reading) == [A1, A0, A0]
            await put_by_hand(
                broker, f"speciate.{ENSEMBLE.replace('.', '=')}.announce.rogue.x", b"\xff\x00 no"
            )
            await put_by_hand(broker, announcement(ENSEMBLE, MessageId("c", "x", 1)), b"a" * 500_000)
            rogue, long = (await heard(b, 2, after=reading.position)).heard
            assert (rogue.sender, rogue.data) == ("rogue", b"\xff\x00 no")
            assert len(long.data) == MOST_ANNOUNCED + 1  # enough to be refused for its length

    play(scene())


def test_a_program_that_the_log_has_no_more_is_given_as_nothing(broker: NatsServer) -> None:
    async def scene() -> None:
        async with at_once(node(broker), "b") as b:
            assert await b.fetch([A0]) == {A0: b""}
            await put_by_hand(broker, champion(ENSEMBLE, A0), b"{}")
            assert await b.fetch([A0]) == {A0: b"{}"}

    play(scene())


def test_a_broker_that_answers_nothing_stops_nobody(broker: NatsServer) -> None:
    async def scene() -> None:
        async with at_once(node(broker), "a.1") as a:
            broker.freeze()
            await a.publish(parcel("a.1", 0), at=None)
            assert await a.fetch([B0]) == {}
            assert (await a.read(0.0, until=None, senders=None)).heard == ()
            broker.thaw()
            assert await a.leave(patience=20) == 0

    play(scene())


def test_a_champion_above_the_brokers_payload_is_announced_without_its_program(brokers: Brokers) -> None:
    broker = brokers.new(settings={"max_payload": "4096"}).start()
    told = list[str]()

    async def scene() -> None:
        a = Nats(read_address(broker.url, {}), tell=told.append)
        async with at_once(a, "a.1"), at_once(node(broker), "b") as b:
            large = Program.of({"initial.py": "x" * 5000})
            await a.publish(parcel("a.1", 0, program=large), at=None)
            await a.publish(parcel("a.1", 1), at=None)
            assert ids(await heard(b, 2)) == [A0, A1]
            assert set(await b.fetch([A0, A1])) == {A0, A1}

    play(scene())
    assert "round 0 is announced without its program" in told[-1]


def test_ensembles_of_one_broker_do_not_hear_each_other(broker: NatsServer) -> None:
    async def scene() -> None:
        async with at_once(node(broker), "b") as b:
            await put_by_hand(broker, announcement(ENSEMBLE, A0), b"here")
            other = node(broker)
            await other.join(Joined(ordinal=INITIAL, ensemble="some", node="b", incarnation="second"), own=[])
            assert (await heard(b, 1)).heard[0].data == b"here"
            assert (await other.read(0.0, until=None, senders=None)).heard == ()
            await other.leave(patience=0)

    play(scene())


@pytest.mark.parametrize(
    ("settings", "right", "wrong"),
    [
        (
            {"authorization": '{ token: "open-sesame" }'},
            {"NATS_TOKEN": "open-sesame"},
            {"NATS_TOKEN": "sesame"},
        ),
        (
            {"authorization": '{ user: "ann", password: "secret-word" }'},
            {"NATS_USER": "ann", "NATS_PASSWORD": "secret-word"},
            {},
        ),
    ],
    ids=["token", "user"],
)
def test_secrets_open_the_broker_and_wrong_ones_are_told(
    brokers: Brokers, settings: dict[str, str], right: dict[str, str], wrong: dict[str, str]
) -> None:
    broker = brokers.new(settings=settings).start()

    async def scene() -> None:
        async with at_once(Nats(read_address(broker.url, right)), "a.1", parcel("a.1", 0)) as a:
            assert await a.leave(patience=10) == 0
        stranger = Nats(read_address(broker.url, wrong))
        with pytest.raises(ConfigError, match="NATS_TOKEN") as refused:
            await stranger.join(joined("b"), own=[])
        assert not any(secret in str(refused.value) for secret in [*right.values(), *wrong.values()])
        await stranger.leave(patience=0)

    play(scene())


def test_encrypted_connections_trust_nobody_but_the_authority(brokers: Brokers, tmp_path: Path) -> None:
    certificate = self_signed(tmp_path)
    broker = brokers.new(certificate=certificate).start()

    async def scene() -> None:
        known = {"NATS_CA": str(certificate.certificate)}
        async with at_once(Nats(read_address(broker.url, known)), "a.1", parcel("a.1", 0)) as a:
            assert await a.leave(patience=10) == 0
        stranger = Nats(read_address(broker.url, {}))
        with pytest.raises(ConfigError, match="not trusted"):
            await stranger.join(joined("b"), own=[])
        await stranger.leave(patience=0)

    play(scene())


def test_no_secret_is_said_to_a_broker_that_offers_no_encryption(brokers: Brokers) -> None:
    broker = brokers.new(settings={"authorization": '{ token: "open-sesame" }'}).start()
    address = read_address(broker.url.replace("nats://", "tls://"), {"NATS_TOKEN": "open-sesame"})

    async def scene() -> None:
        a = Nats(address)
        with pytest.raises(ConfigError, match="no encryption"):
            await a.join(joined("a.1"), own=[])
        await a.leave(patience=0)

    play(scene())


def test_a_broker_without_jetstream_is_told(brokers: Brokers) -> None:
    broker = brokers.new(settings={"jetstream": "false"}).start()

    async def scene() -> None:
        a = node(broker)
        with pytest.raises(ConfigError, match="nats-server -js"):
            await a.join(joined("a.1"), own=[])
        await a.leave(patience=0)

    play(scene())


def test_there_is_no_virtual_clock_over_a_network() -> None:
    async def scene() -> None:
        with pytest.raises(ConfigError, match=r"ensemble\.clock = wall"):
            await Nats(read_address(f"nats://127.0.0.1:{free_port()}", {})).read(0.0, until=1.0, senders=None)

    play(scene())


def test_without_its_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nats", None)
    with pytest.raises(MissingExtraError, match=r"speciate\[nats\]"):
        Nats(read_address("nats://127.0.0.1:1", {}))
