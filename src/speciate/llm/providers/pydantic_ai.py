"""Chat models through pydantic-ai.

The library is imported on the first request. A vendor needs two things of its own: a model object and the
translation of `Sampling` into settings.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from speciate.llm.providers.http_model import DECODING_ERRORS, Answer, HTTPModel
from speciate.records import Message, Request, Sampling, Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings


class ChatModel(HTTPModel):
    """A chat model that pydantic-ai talks to, without its retries, tools or history."""

    _model: Model | None = None

    @abstractmethod
    def _open(self) -> Model:
        """Builds the library's model object around `_client`."""

    @abstractmethod
    def _settings(self, sampling: Sampling, model: Model) -> ModelSettings:
        """Translates the sampling, `max_tokens` always, without what the model is known to refuse."""

    def _errors(self) -> tuple[type[Exception], ...]:
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior

        # IndexError: the library takes the first of a reply's choices without looking whether there is one.
        return (ModelAPIError, UnexpectedModelBehavior, IndexError, *DECODING_ERRORS)

    async def _ask(self, request: Request) -> Answer:
        from pydantic_ai.direct import model_request

        if self._model is None:
            self._model = self._open()
        settings = self._settings(request.sampling, self._model)
        response = await model_request(
            self._model, _conversation(request.messages), model_settings=settings, instrument=False
        )
        return _answer(response, self._endpoint.model)

    async def close(self) -> None:
        """Closes the connections; a later request opens new ones."""
        self._model = None
        await super().close()


def _conversation(messages: Sequence[Message]) -> list[ModelMessage]:
    """Returns the messages in the library's shape: what stands between two answers is one request."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    turns: list[ModelMessage] = []
    asked: list[ModelRequestPart] = []
    for message in messages:
        if message.role == "assistant":
            turns += [ModelRequest(parts=asked), ModelResponse(parts=[TextPart(message.text)])]
            asked = []
        else:
            part = SystemPromptPart if message.role == "system" else UserPromptPart
            asked.append(part(message.text))
    return [*turns, ModelRequest(parts=asked)] if asked else turns


def _answer(response: ModelResponse, model: str) -> Answer:
    from pydantic_ai.messages import TextPart

    details = response.provider_details or {}
    filtered = response.finish_reason == "content_filter"
    return Answer(
        text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
        model=response.model_name or model,
        usage=Usage(
            calls=1,
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cached_tokens=response.usage.cache_read_tokens,
            reasoning_tokens=response.usage.details.get("reasoning_tokens", 0),
        ),
        finish=str(details.get("finish_reason") or response.finish_reason or "stop"),
        refused=str(details.get("refusal", "content filter")) if filtered else None,
    )
