"""Chat models through pydantic-ai.

The library is imported on the first request. A vendor needs two things of its own: a model object and the
translation of `Sampling` into settings.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from typing_extensions import override

from speciate.llm.providers.http_model import DECODING_ERRORS, Answer, HTTPModel
from speciate.records import Message, Request, Sampling, Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings


_REASONING = ("reasoning_tokens", "thoughts_tokens", "thinking_tokens")
"""What vendors call the tokens of reasoning."""

_REFUSAL = ("refusal", "block_reason_message", "block_reason")
"""Where the library puts the words of a refusal."""


class ChatModel(HTTPModel):
    """A chat model that pydantic-ai talks to, without its retries, tools or history."""

    _model: Model

    @abstractmethod
    def _open(self) -> Model:
        """Builds the library's model object around `_client`."""

    @abstractmethod
    def _settings(self, sampling: Sampling, model: Model) -> ModelSettings:
        """Translates the sampling, `max_tokens` always, without what the model is known to refuse.

        Nothing else is left to the library: what it drops itself, it drops with a warning or in silence.
        """

    def _parameters(self, sampling: Sampling, model: Model) -> ModelRequestParameters | None:
        """Returns the shape of the reply as the library asks for it, where a model takes a JSON schema."""
        if sampling.json_schema is None or not model.profile.get("supports_json_schema_output", False):
            return None
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        shape = OutputObjectDefinition(json_schema=dict(sampling.json_schema), name="reply")
        return ModelRequestParameters(output_mode="native", output_object=shape)

    @override
    def _errors(self) -> tuple[type[Exception], ...]:
        from httpx2 import HTTPError
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError

        # The last ones: the library takes the first of a reply's choices without looking whether there is
        # one, and reads fields of replies that it has not checked.
        unchecked = (IndexError, AttributeError, TypeError, KeyError, *DECODING_ERRORS)
        return (ModelAPIError, UnexpectedModelBehavior, UserError, HTTPError, *unchecked)

    @override
    def _status(self, error: Exception) -> int | None:
        from pydantic_ai.exceptions import ModelHTTPError

        return error.status_code if isinstance(error, ModelHTTPError) else None

    @override
    def _prepare(self) -> None:
        import pydantic_ai.direct  # noqa: F401 -- so that the request need not wait for it

        self._model = self._open()

    @override
    async def _ask(self, request: Request) -> Answer:
        from pydantic_ai.direct import model_request

        response = await model_request(
            self._model,
            _conversation(request.messages),
            model_settings=self._settings(request.sampling, self._model),
            model_request_parameters=self._parameters(request.sampling, self._model),
            instrument=False,
        )
        return _answer(response, self._endpoint.model)


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
    """Translates a reply. Raises UnexpectedModelBehavior for one that has neither words nor an end."""
    from pydantic_ai.exceptions import UnexpectedModelBehavior
    from pydantic_ai.messages import TextPart

    if not response.parts and response.finish_reason is None:
        raise UnexpectedModelBehavior("the reply holds no answer")

    details = response.provider_details or {}
    counts = response.usage.details
    filtered = response.finish_reason == "content_filter"
    return Answer(
        text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
        model=response.model_name or model,
        usage=Usage(
            calls=1,
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cached_tokens=response.usage.cache_read_tokens,
            reasoning_tokens=next((counts[name] for name in _REASONING if name in counts), 0),
        ),
        finish=str(details.get("finish_reason") or response.finish_reason or "stop"),
        refused=str(next((details[name] for name in _REFUSAL if name in details), "content filter"))
        if filtered
        else None,
    )
