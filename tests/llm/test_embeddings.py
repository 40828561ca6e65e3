from __future__ import annotations

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest

from speciate.errors import ConfigError, ModelRefusedError, ModelUnavailableError
from speciate.llm import LLMConfig, LLMPool, open_llm, price_of, unpack
from speciate.records import Message, Reply, Request, Sampling
from speciate.testing.fake_embeddings import LETTERS, FakeEmbeddings
from speciate.testing.fake_server import Behaviour, error

CONFIG = LLMConfig()
REQUEST = Request((Message("user", ("x = 1\n",)),), Sampling(max_tokens=1))


@pytest.fixture
def server() -> Iterator[FakeEmbeddings]:
    with FakeEmbeddings() as running:
        yield running


def ask(spec: str, request: Request = REQUEST) -> Reply:
    async def once() -> Reply:
        model = open_llm(spec, CONFIG)
        try:
            return await model.complete(request)
        finally:
            await model.close()

    return asyncio.run(once())


def test_a_server_of_ones_own_embeds(server: FakeEmbeddings) -> None:
    reply = ask(
        f"local:m@{server.url}?api=embeddings",
        Request((Message("user", ("aab", "c")),), Sampling(max_tokens=1)),
    )
    vector = unpack(reply.text)
    assert vector is not None
    assert np.array_equal(vector, np.rint(np.array([2, 1, 1, *[0] * (len(LETTERS) - 3), -1]) / 2 * 32767))
    assert (reply.model, reply.usage.input_tokens, reply.usage.output_tokens) == ("m-served", 7, 0)
    assert reply.usage.cost == 0.0
    assert reply.error is None


def test_the_vendors_model_is_priced_from_the_public_list(
    server: FakeEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-fake")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    spec = "openai:text-embedding-3-small?api=embeddings"
    price = price_of(spec, CONFIG)
    assert price is not None
    assert ask(spec).usage.cost == pytest.approx(7 * price.rates[0].input / 1e6)
    assert price.rates[0].input > 0 == price.rates[0].output


def test_a_server_that_does_not_count_is_counted_from_above() -> None:
    with FakeEmbeddings([Behaviour(count_tokens=False)]) as server:
        assert ask(f"local:m@{server.url}?api=embeddings").usage.input_tokens > 0


@pytest.mark.parametrize("kind", ["garbage", "wrong_shape", "no_choices", "cut", "huge"])
def test_replies_that_are_no_vectors_are_unavailable(kind: str) -> None:
    with FakeEmbeddings([Behaviour(kind)]) as server, pytest.raises(ModelUnavailableError):  # type: ignore[arg-type]  # a Kind
        ask(f"local:m@{server.url}?api=embeddings")


def test_errors_are_those_of_every_other_model() -> None:
    with FakeEmbeddings([error(429, retry_after="3"), error(400, "too long")]) as server:
        spec = f"local:m@{server.url}?api=embeddings"
        with pytest.raises(ModelUnavailableError) as busy:
            ask(spec)
        assert busy.value.retry_after == 3
        with pytest.raises(ModelRefusedError, match="too long"):
            ask(spec)


def test_a_pool_asks_again_and_records_like_any_other_model(server: FakeEmbeddings) -> None:
    async def both() -> list[Reply]:
        spec = f"local:m@{server.url}?api=embeddings"
        pool = LLMPool([spec], CONFIG)
        try:
            return list(await asyncio.gather(pool.complete(spec, REQUEST), pool.complete(spec, REQUEST)))
        finally:
            await pool.close()

    first, second = asyncio.run(both())
    assert first.text == second.text


@pytest.mark.parametrize(
    "spec", ["anthropic:m?api=embeddings", "local:m?api=embeddings", "local:m@http://a:b@c/v1?api=embeddings"]
)
def test_what_cannot_embed_is_refused(spec: str) -> None:
    with pytest.raises(ConfigError):
        open_llm(spec, CONFIG)
