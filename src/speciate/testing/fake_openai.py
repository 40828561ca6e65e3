"""A server on loopback that speaks OpenAI's HTTP interface: chat, responses and plain completions."""

from __future__ import annotations

from typing_extensions import override

from speciate.records import Json
from speciate.testing.fake_server import BadRequest, Behaviour, FakeServer, Kind, Received, error

__all__ = [
    "Behaviour",
    "FakeAzure",
    "FakeDeepSeek",
    "FakeOpenAI",
    "FakeOpenRouter",
    "Kind",
    "Received",
    "error",
]

_REASONING = ("o1", "o3", "gpt-5-mini", "gpt-5-nano")
"""Models that always reason, and take no temperature therefore."""


class FakeOpenAI(FakeServer):
    """OpenAI, and servers that speak its language."""

    @property
    @override
    def url(self) -> str:
        return f"{self.address}/v1"

    @override
    def check(self, received: Received) -> None:
        body = received.body
        if body.get("stream"):
            raise BadRequest("nothing here can stream")
        if str(body["model"]).startswith(_REASONING) and "temperature" in body and self.is_vendor(received):
            raise BadRequest("Unsupported parameter: 'temperature' is not supported with this model.")

    def is_vendor(self, received: Received) -> bool:
        """Whether the rules of the vendor's own models hold: a server of one's own says ``max_tokens``."""
        return "max_tokens" not in received.body

    @override
    def key_of(self, received: Received) -> str | None:
        return received.headers.get("authorization", "").removeprefix("Bearer ") or None

    @override
    def model_of(self, received: Received) -> str:
        return str(received.body["model"])

    @override
    def mistake(self, behaviour: Behaviour) -> Json:
        return {"error": {"message": behaviour.text, "code": behaviour.code, "type": behaviour.code}}

    @override
    def nothing(self) -> Json:
        return {"id": "reply-1", "object": "chat.completion", "created": 1, "model": "m", "choices": []}

    @override
    def answer(self, behaviour: Behaviour, received: Received) -> Json:
        if received.path.endswith("/responses"):
            return _response(behaviour, f"{received.body['model']}-served")
        return self.chat(behaviour, received)

    def chat(self, behaviour: Behaviour, received: Received) -> dict[str, Json]:
        """Returns an answer of chat or of plain completions."""
        is_chat = received.path.endswith("/chat/completions")
        said: Json = {"role": "assistant", "content": behaviour.text, "refusal": behaviour.refusal}
        text: dict[str, Json] = {"message": said} if is_chat else {"text": behaviour.text, "logprobs": None}
        reply: dict[str, Json] = {
            "id": "reply-1",
            "object": "chat.completion" if is_chat else "text_completion",
            "created": 1_700_000_000,
            "model": f"{received.body['model']}-served",
            "choices": [{"index": 0, "finish_reason": behaviour.finish, **text}],
        }
        if behaviour.count_tokens:
            reply["usage"] = {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 120,
                "prompt_tokens_details": {"cached_tokens": 40},
                "completion_tokens_details": {"reasoning_tokens": 5},
            }
        return reply


class FakeAzure(FakeOpenAI):
    """A resource in Azure: filters say 400."""

    @property
    @override
    def url(self) -> str:
        return self.address


class FakeDeepSeek(FakeOpenAI):
    """DeepSeek, whose chat takes ``max_tokens`` and no JSON schema."""

    @override
    def check(self, received: Received) -> None:
        if received.body.get("stream"):
            raise BadRequest("nothing here can stream")
        if "max_tokens" not in received.body:
            raise BadRequest("max_completion_tokens would be overlooked")
        if "response_format" in received.body:
            raise BadRequest("This response_format type is unavailable now")


class FakeOpenRouter(FakeOpenAI):
    """OpenRouter, which names who really answered, and says what it cost."""

    @override
    def chat(self, behaviour: Behaviour, received: Received) -> dict[str, Json]:
        if behaviour.finish == "error":
            return {"error": {"message": behaviour.text, "code": behaviour.status}, "choices": None}
        reply = super().chat(behaviour, received)
        choices = reply["choices"]
        assert isinstance(choices, list)
        assert isinstance(choices[0], dict)
        choices[0] |= {"native_finish_reason": behaviour.finish}
        return {**reply, "provider": "Somebody"}


def _response(behaviour: Behaviour, model: str) -> Json:
    refused: Json = {"type": "refusal", "refusal": behaviour.refusal}
    said: Json = {"type": "output_text", "text": behaviour.text, "annotations": []}
    cut = behaviour.finish in ("length", "content_filter")
    reason = "max_output_tokens" if behaviour.finish == "length" else behaviour.finish
    reply: dict[str, Json] = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": model,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": reason} if cut else None,
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [said if behaviour.refusal is None else refused],
            },
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    if behaviour.count_tokens:
        reply["usage"] = {
            "input_tokens": 100,
            "input_tokens_details": {"cached_tokens": 40},
            "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 5},
            "total_tokens": 120,
        }
    return reply
