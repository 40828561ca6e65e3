"""A server on loopback that speaks Google's generateContent."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import override

from speciate.records import Json
from speciate.testing.fake_server import BadRequest, Behaviour, FakeServer, Received

_STOP = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
"""Google's words for why a model stopped."""


class FakeGoogle(FakeServer):
    """Gemini: the model is part of the path, and how long to wait is part of an error's body."""

    @override
    def check(self, received: Received) -> None:
        settings = received.body.get("generationConfig")
        if "stream" in received.path:
            raise BadRequest("nothing here can stream")
        if not isinstance(settings, dict) or not isinstance(settings.get("maxOutputTokens"), int):
            raise BadRequest("maxOutputTokens is missing, and this server insists")
        thinking = settings.get("thinkingConfig")
        if isinstance(thinking, dict):
            # Protocol buffers' JSON may be written with either name.
            budget = thinking.get("thinkingBudget", thinking.get("thinking_budget"))
            if budget is not None:
                _check_budget(budget, self.model_of(received), settings["maxOutputTokens"])

    @override
    def key_of(self, received: Received) -> str | None:
        return received.headers.get("x-goog-api-key")

    @override
    def model_of(self, received: Received) -> str:
        return received.path.rpartition("/")[2].partition(":")[0]

    @override
    def mistake(self, behaviour: Behaviour) -> Json:
        details: list[Json] = []
        if (wait := behaviour.headers.get("retry-delay")) is not None:
            details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait}s"})
        status = behaviour.code or "UNAVAILABLE"
        return {
            "error": {
                "code": behaviour.status,
                "message": behaviour.text,
                "status": status,
                "details": details,
            }
        }

    @override
    def nothing(self) -> Json:
        return {"candidates": [], "modelVersion": "m", "usageMetadata": {"promptTokenCount": 100}}

    @override
    def answer(self, behaviour: Behaviour, received: Received) -> Json:
        model = self.model_of(received)
        counts = _counts() if behaviour.count_tokens else {}
        if behaviour.refusal is not None:
            feedback: Json = {"blockReason": "SAFETY", "blockReasonMessage": behaviour.refusal}
            return {"promptFeedback": feedback, "modelVersion": model, "usageMetadata": dict(counts)}
        parts: list[Json] = [{"text": behaviour.text}]
        return {
            "candidates": [
                {
                    "index": 0,
                    "finishReason": _STOP[behaviour.finish],
                    "content": {"role": "model", "parts": parts if behaviour.text else []},
                }
            ],
            "modelVersion": f"{model}-served",
            "responseId": "reply-1",
            "usageMetadata": dict(counts),
        }


def _counts() -> Mapping[str, Json]:
    return {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 40,
        "candidatesTokenCount": 15,  # thoughts come on top
        "thoughtsTokenCount": 5,
        "totalTokenCount": 120,
    }


def _check_budget(budget: Json, model: str, most: Json) -> None:
    assert isinstance(budget, int)
    assert isinstance(most, int)
    if not model.startswith("gemini-2.5"):
        raise BadRequest(f"{model} takes a thinkingLevel")
    if not 512 <= budget <= 24_576:
        raise BadRequest("the thinking budget is invalid")
    if budget >= most:
        raise BadRequest("all of maxOutputTokens would be thought away")
