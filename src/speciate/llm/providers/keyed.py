"""Models of vendors that want a key and nothing else."""

from __future__ import annotations

from speciate.llm.base import LLM
from speciate.llm.catalog import price_of
from speciate.llm.config import LLMConfig
from speciate.llm.credentials import need_credential
from speciate.llm.providers.http_model import Endpoint
from speciate.llm.providers.installed import check_installed
from speciate.llm.providers.pydantic_ai import ChatModel
from speciate.llm.spec import Spec
from speciate.llm.vendors import VENDORS


def open_keyed(spec: Spec, config: LLMConfig, kind: type[ChatModel]) -> LLM:
    """Returns a model of the vendor that the spec names, with its key, at its address or another one.

    Args:
        spec: the model's; its options are for the caller.
        config: settings of calls.
        kind: the class of the vendor's models.

    Raises:
        ConfigError: there is no key.
        MissingExtraError: the libraries are absent.
    """
    vendor = VENDORS[spec.kind]
    key = need_credential(spec.text, *vendor.keys)
    endpoint = Endpoint(spec.model, key.beside(vendor.address), key.value)
    check_installed(spec.text, *vendor.packages)
    return kind(spec.text, endpoint, price_of(spec.text, config), config)
