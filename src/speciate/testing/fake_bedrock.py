"""A server on loopback that speaks Bedrock's Converse."""

from __future__ import annotations

from urllib.parse import unquote

from typing_extensions import override

from speciate.records import Json
from speciate.testing.fake_anthropic import check_claude
from speciate.testing.fake_server import BadRequest, Behaviour, FakeServer, Received

_STOP = {"stop": "end_turn", "length": "max_tokens", "content_filter": "content_filtered"}
"""Bedrock's words for why a model stopped."""


class FakeBedrock(FakeServer):
    """Bedrock: requests come signed, or with a key of Bedrock's own. Signatures are not verified."""

    @override
    def check(self, received: Received) -> None:
        if not received.path.endswith("/converse"):
            raise BadRequest("nothing here can stream")
        settings = received.body.get("inferenceConfig")
        if not isinstance(settings, dict) or "maxTokens" not in settings:
            raise BadRequest("maxTokens is missing, and this server insists")
        more = received.body.get("additionalModelRequestFields")
        thinking = more.get("thinking") if isinstance(more, dict) else None
        if "anthropic" in received.path:
            check_claude(settings["maxTokens"], thinking, settings.get("temperature"))

    @override
    def key_of(self, received: Received) -> str | None:
        shown = received.headers.get("authorization", "")
        if shown.startswith("Bearer "):
            return shown.removeprefix("Bearer ")
        return shown.partition("Credential=")[2].partition("/")[0] or None

    @override
    def model_of(self, received: Received) -> str:
        return unquote(received.path.removeprefix("/model/").removesuffix("/converse"))

    @override
    def mistake(self, behaviour: Behaviour) -> Json:
        return {"message": behaviour.text, "__type": behaviour.code or "ThrottlingException"}

    @override
    def nothing(self) -> Json:
        return {"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "end_turn"}

    @override
    def answer(self, behaviour: Behaviour, received: Received) -> Json:
        said: list[Json] = [{"text": behaviour.text}] if behaviour.text else []
        counts: Json = {
            "inputTokens": 60 if behaviour.count_tokens else 0,
            "cacheReadInputTokens": 40 if behaviour.count_tokens else 0,
            "outputTokens": 20 if behaviour.count_tokens else 0,
            "totalTokens": 120 if behaviour.count_tokens else 0,
        }
        return {
            "output": {"message": {"role": "assistant", "content": said}},
            "stopReason": _STOP[behaviour.finish],
            "usage": counts,
            "metrics": {"latencyMs": 1},
        }
