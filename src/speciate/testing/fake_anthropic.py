"""A server on loopback that speaks Anthropic's messages."""

from __future__ import annotations

from typing_extensions import override

from speciate.records import Json
from speciate.testing.fake_server import BadRequest, Behaviour, FakeServer, Received

_STOP = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
"""Anthropic's words for why a model stopped."""
_LEAST_THINKING = 1024


class FakeAnthropic(FakeServer):
    """Anthropic: insists on ``max_tokens``, on a version, and on settings that go together."""

    @override
    def check(self, received: Received) -> None:
        body = received.body
        if "anthropic-version" not in received.headers:
            raise BadRequest("anthropic-version: header is required")
        if body.get("stream"):
            raise BadRequest("nothing here can stream")
        check_claude(body.get("max_tokens"), body.get("thinking"), body.get("temperature"))

    @override
    def key_of(self, received: Received) -> str | None:
        bearer = received.headers.get("authorization", "").removeprefix("Bearer ")
        return received.headers.get("x-api-key") or bearer or None

    @override
    def model_of(self, received: Received) -> str:
        return str(received.body["model"])

    @override
    def mistake(self, behaviour: Behaviour) -> Json:
        return {"type": "error", "error": {"type": behaviour.code or "error", "message": behaviour.text}}

    @override
    def nothing(self) -> Json:
        return {"type": "message", "id": "msg_1", "role": "assistant", "model": "m", "content": None}

    @override
    def answer(self, behaviour: Behaviour, received: Received) -> Json:
        said: list[Json] = [{"type": "text", "text": behaviour.text}]
        if "thinking" in received.body:
            said.insert(0, {"type": "thinking", "thinking": "hm", "signature": "signed"})
        counts: Json = {
            "input_tokens": 60 if behaviour.count_tokens else 0,  # those read from the cache come on top
            "cache_read_input_tokens": 40 if behaviour.count_tokens else 0,
            "cache_creation_input_tokens": 0,
            "output_tokens": 20 if behaviour.count_tokens else 0,
        }
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": f"{received.body['model']}-served",
            "content": said if behaviour.text or behaviour.finish != "content_filter" else [],
            "stop_reason": _STOP[behaviour.finish],
            "stop_sequence": None,
            "usage": counts,
        }


def check_claude(max_tokens: Json, thinking: Json, temperature: Json) -> None:
    """Raises BadRequest for settings that Claude refuses together."""
    if not isinstance(max_tokens, int):
        raise BadRequest("max_tokens: Field required")
    if isinstance(temperature, float) and temperature > 1:
        raise BadRequest("temperature: range: 0..1")
    if thinking is None:
        return
    assert isinstance(thinking, dict)
    if temperature not in (None, 1, 1.0):
        raise BadRequest("`temperature` may only be set to 1 when thinking is enabled")
    budget = thinking.get("budget_tokens", _LEAST_THINKING)
    if not isinstance(budget, int) or budget < _LEAST_THINKING:
        raise BadRequest("thinking.budget_tokens: Input should be greater than or equal to 1024")
    if thinking.get("type") == "enabled" and budget >= max_tokens:
        raise BadRequest("`max_tokens` must be greater than `thinking.budget_tokens`")
