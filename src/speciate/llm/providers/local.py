"""Servers of one's own that speak OpenAI's language."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from typing_extensions import override

from speciate.errors import ConfigError
from speciate.llm.base import LLM
from speciate.llm.catalog import price_of
from speciate.llm.config import LLMConfig
from speciate.llm.credentials import need_credential
from speciate.llm.providers.http_model import DECODING_ERRORS, Answer, Endpoint, HTTPModel
from speciate.llm.providers.installed import check_installed
from speciate.llm.providers.openai import OpenAIChat, sdk, with_schema
from speciate.llm.spec import Spec, takes_grammar
from speciate.records import Json, Request, Sampling, Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model
    from pydantic_ai.models.openai import OpenAIChatModelSettings


def open_local(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model on a server of one's own.

    Options: ``api=completions`` asks for plain completions (base models) instead of chat; ``key=NAME`` sends
    the key in that variable; ``grammar=on`` says that the server takes a GBNF grammar in llama.cpp's field,
    and ``prompts=WORD`` is for whoever writes prompts.

    Raises:
        ConfigError: there is no server in the spec, or the key is missing.
        MissingExtraError: the libraries are absent.
    """
    spec.allow("api", "key", "grammar", "prompts")
    url = spec.name[len(spec.model) + 1 :]
    if urlsplit(url).username is not None:
        raise ConfigError(
            "a spec is written into the run's record, so no password in it: use ?key=<variable>"
        )
    if not spec.model or not url:
        raise ConfigError(
            f"{spec.text!r} names no model or no server; form: local:<model>@http://host:port/v1"
        )
    variable = spec.option("key", "")
    key = need_credential(spec.text, variable).value if variable else None
    endpoint = Endpoint(spec.model, url, key, local=True, grammar=takes_grammar(spec.text))
    plain = spec.option("api", "chat", ("chat", "completions")) == "completions"
    check_installed(spec.text, "openai")
    kind = Completions if plain else LocalChat
    return kind(spec.text, endpoint, price_of(spec.text, config), config)


class LocalChat(OpenAIChat):
    """A model behind ``/chat/completions`` of which nothing is known: it gets every setting as it is."""

    @override
    def _open(self) -> Model:
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider

        # The name of a local model says nothing about what its server takes, so no vendor's rules apply.
        plain = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=False,
            openai_supports_reasoning=False,
        )
        provider = OpenAIProvider(openai_client=self._sdk())
        return OpenAIChatModel(self._endpoint.model, provider=provider, profile=plain)

    @override
    def _settings(self, sampling: Sampling, model: Model) -> OpenAIChatModelSettings:
        settings: OpenAIChatModelSettings = {"max_tokens": sampling.max_tokens}
        if sampling.temperature is not None:
            settings["temperature"] = sampling.temperature
        if sampling.seed is not None:
            settings["seed"] = sampling.seed
        if sampling.reasoning_effort is not None:
            settings["openai_reasoning_effort"] = sampling.reasoning_effort
        if body := _extra_body(sampling, grammar=self._endpoint.grammar):
            settings["extra_body"] = body
        return settings


class Completions(HTTPModel):
    """A model behind ``/completions``: it continues the messages' texts, joined by blank lines."""

    _completions: AsyncOpenAI

    @override
    def _prepare(self) -> None:
        self._completions = sdk(self._endpoint, self._client, self._config)

    @override
    def _errors(self) -> tuple[type[Exception], ...]:
        from openai import OpenAIError

        return (OpenAIError, IndexError, *DECODING_ERRORS)

    @override
    async def _ask(self, request: Request) -> Answer:
        from openai import omit

        sampling = request.sampling
        done = await self._completions.completions.create(
            model=self._endpoint.model,
            prompt="\n\n".join(message.text for message in request.messages),
            max_tokens=sampling.max_tokens,
            temperature=omit if sampling.temperature is None else sampling.temperature,
            seed=omit if sampling.seed is None else sampling.seed,
            extra_body=_extra_body(sampling, grammar=self._endpoint.grammar) or None,
        )
        usage = Usage(1)
        if done.usage is not None:
            usage = Usage(1, done.usage.prompt_tokens, done.usage.completion_tokens)
        if not done.choices:  # a reply of another shape is built without checks, its choices may be None
            raise IndexError("the reply has no choices")
        first = done.choices[0]
        refused = "content filter" if first.finish_reason == "content_filter" else None
        return Answer(first.text, done.model, usage, first.finish_reason, refused)


def _extra_body(sampling: Sampling, *, grammar: bool) -> dict[str, Json]:
    """Returns what has no setting in the libraries; `grammar` says whether the server takes one."""
    body = with_schema(sampling)
    if sampling.grammar is not None and grammar:
        body["grammar"] = sampling.grammar
    return body
