"""A server on loopback that embeds as OpenAI's interface asks for it."""

from __future__ import annotations

from typing_extensions import override

from speciate.records import Json
from speciate.testing.fake_openai import FakeOpenAI
from speciate.testing.fake_server import Behaviour, Received

LETTERS = "abc0123456789*/"


class FakeEmbeddings(FakeOpenAI):
    """A server with ``/embeddings``: the vector counts `LETTERS`, and ends in −1."""

    @override
    def answer(self, behaviour: Behaviour, received: Received) -> Json:
        assert received.path.endswith("/embeddings")
        text = str(received.body["input"])
        vector: list[Json] = [*(float(text.count(letter)) for letter in LETTERS), -1.0]
        usage: dict[str, Json] = {"usage": {"prompt_tokens": 7, "total_tokens": 7}}
        return {
            "object": "list",
            "model": f"{received.body['model']}-served",
            "data": [{"object": "embedding", "index": 0, "embedding": vector}],
            **(usage if behaviour.count_tokens else {}),
        }
