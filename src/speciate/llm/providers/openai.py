"""OpenAI, and every server that speaks its language."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from speciate.errors import ConfigError, MissingExtraError
from speciate.llm.base import LLM
from speciate.llm.catalog import price_of
from speciate.llm.config import LLMConfig
from speciate.llm.providers.http_model import DECODING_ERRORS, Answer, Endpoint, HTTPModel
from speciate.llm.providers.pydantic_ai import ChatModel
from speciate.llm.spec import Spec, takes_grammar
from speciate.records import Json, Request, Sampling, Usage

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model
    from pydantic_ai.models.openai import OpenAIChatModelSettings

_VENDOR = "https://api.openai.com/v1"
_NO_KEY = "none"  # the client insists on a key; servers that want none ignore it


def open_openai(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model of OpenAI's. The key is ``OPENAI_API_KEY``; ``OPENAI_BASE_URL`` names another address.

    Raises:
        ConfigError: there is no key.
        MissingExtraError: the libraries are absent.
    """
    url = os.environ.get("OPENAI_BASE_URL") or None
    endpoint = Endpoint(spec.model, url, _key(spec, "OPENAI_API_KEY"), local=False)
    _check_installed(spec)
    return OpenAIChat(spec.text, endpoint, price_of(spec.text, config), config)


def open_local(spec: Spec, config: LLMConfig) -> LLM:
    """Returns a model on a server of one's own.

    Options: ``api=completions`` asks for plain completions (base models) instead of chat; ``key=NAME`` sends
    the key in that environment variable; ``grammar=on`` says that the server takes a GBNF grammar in
    llama.cpp's field, and ``prompts=WORD`` is for whoever writes prompts.

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
    key = _key(spec, variable) if variable else None
    endpoint = Endpoint(spec.model, url, key, local=True, grammar=takes_grammar(spec.text))
    plain = spec.option("api", "chat", ("chat", "completions")) == "completions"
    _check_installed(spec)
    kind = OpenAICompletions if plain else OpenAIChat
    return kind(spec.text, endpoint, price_of(spec.text, config), config)


class OpenAIChat(ChatModel):
    """A model behind ``/chat/completions``."""

    def _open(self) -> Model:
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(openai_client=_sdk(self._endpoint, self._client(_url(self._endpoint))))
        if not self._endpoint.local:
            return OpenAIChatModel(self._endpoint.model, provider=provider)
        # The name of a local model says nothing about what its server takes, so no vendor's rules apply.
        plain = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=False,
            openai_supports_reasoning=False,
        )
        return OpenAIChatModel(self._endpoint.model, provider=provider, profile=plain)

    def _settings(self, sampling: Sampling, model: Model) -> OpenAIChatModelSettings:
        settings: OpenAIChatModelSettings = {"max_tokens": sampling.max_tokens}
        if sampling.temperature is not None and not _refuses_temperature(sampling, model):
            settings["temperature"] = sampling.temperature
        if sampling.seed is not None:
            settings["seed"] = sampling.seed
        if sampling.reasoning_effort is not None:
            if self._endpoint.local:
                settings["openai_reasoning_effort"] = sampling.reasoning_effort
            else:
                # The library's own setting is fitted to the efforts a model takes, or left out.
                settings["thinking"] = sampling.reasoning_effort
        if body := _extra_body(sampling, grammar=self._endpoint.grammar):
            settings["extra_body"] = body
        return settings


class OpenAICompletions(HTTPModel):
    """A model behind ``/completions``: it continues the messages' texts, joined by blank lines."""

    _open: AsyncOpenAI | None = None

    def _errors(self) -> tuple[type[Exception], ...]:
        from openai import OpenAIError

        return (OpenAIError, IndexError, *DECODING_ERRORS)

    async def _ask(self, request: Request) -> Answer:
        from openai import omit

        sampling = request.sampling
        if self._open is None:
            self._open = _sdk(self._endpoint, self._client(_url(self._endpoint)))
        done = await self._open.completions.create(
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

    async def close(self) -> None:
        """Closes the connections; a later request opens new ones."""
        self._open = None
        await super().close()


def _url(endpoint: Endpoint) -> str:
    return endpoint.url or _VENDOR


def _sdk(endpoint: Endpoint, client: httpx2.AsyncClient) -> AsyncOpenAI:
    from openai import AsyncOpenAI

    return AsyncOpenAI(
        api_key=endpoint.key or _NO_KEY, base_url=_url(endpoint), max_retries=0, http_client=client
    )


def _refuses_temperature(sampling: Sampling, model: Model) -> bool:
    """Says whether the model takes no temperature with this effort, by the library's table of models."""
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    profile = cast(OpenAIModelProfile, model.profile)  # both are typed dictionaries; this one has more keys
    if not profile.get("openai_supports_reasoning", False):
        return False
    if sampling.reasoning_effort is not None or profile.get("thinking_enabled_by_default", False):
        return True
    efforts = profile.get("openai_reasoning_efforts")
    if efforts is None:
        return not profile.get("openai_supports_reasoning_effort_none", False)
    return "none" not in efforts


def _extra_body(sampling: Sampling, *, grammar: bool) -> dict[str, Json]:
    """Returns what has no setting in the libraries; `grammar` says whether the server takes one."""
    body: dict[str, Json] = {}
    if sampling.grammar is not None and grammar:
        body["grammar"] = sampling.grammar
    if sampling.json_schema is not None:
        schema: Json = {"name": "reply", "schema": dict(sampling.json_schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _key(spec: Spec, variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ConfigError(f"{spec.text!r} needs a key in the environment variable {variable}")
    return key


def _check_installed(spec: Spec) -> None:
    if importlib.util.find_spec("pydantic_ai") is None or importlib.util.find_spec("openai") is None:
        raise MissingExtraError(f"the model {spec.text}", "llm")
