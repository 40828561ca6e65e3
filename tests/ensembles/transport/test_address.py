from __future__ import annotations

import pytest

from speciate.ensembles.transport.address import read_address
from speciate.errors import ConfigError


def test_secrets_of_the_url_stay_out_of_what_is_written_down() -> None:
    address = read_address("nats://ann:p%40ss@host:4333", {})
    assert (address.url, address.user, address.password) == ("nats://host:4333", "ann", "p@ss")
    assert "p@ss" not in repr(address)
    token = read_address("tls://open-sesame@host", {})
    assert (token.url, token.token, token.encrypted) == ("tls://host:4222", "open-sesame", True)
    assert "sesame" not in repr(token)


def test_what_the_url_lacks_comes_from_the_environment() -> None:
    assert read_address("nats://host", {"NATS_TOKEN": "t"}).token == "t"
    named = read_address("nats://host", {"NATS_USER": "u", "NATS_PASSWORD": "p", "NATS_TOKEN": "t"})
    assert (named.user, named.password, named.token) == ("u", "p", None)
    assert read_address("nats://own@host", {"NATS_TOKEN": "t"}).token == "own"


def test_addresses_of_six_get_their_brackets_back() -> None:
    assert read_address("nats://[::1]:4222", {}).url == "nats://[::1]:4222"


@pytest.mark.parametrize(
    "url",
    ["", "host:4222", "http://secret@host", "nats://", "nats://secret@host:port", "nats://secret@host/path"],
)
def test_no_other_url_is_taken_and_none_repeated(url: str) -> None:
    with pytest.raises(ConfigError, match="for example nats://") as refused:
        read_address(url, {})
    assert "secret" not in str(refused.value)


def test_a_file_of_certificates_that_is_not_there_is_told() -> None:
    with pytest.raises(ConfigError, match="NATS_CA"):
        read_address("tls://host", {"NATS_CA": "/nowhere.pem"}).tls()
