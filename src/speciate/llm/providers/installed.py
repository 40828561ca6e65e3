"""Whether a vendor's libraries are here, without importing them."""

from __future__ import annotations

import importlib.util

from speciate.errors import MissingExtraError
from speciate.llm.vendors import EXTRA


def is_installed(package: str) -> bool:
    """Says whether a package can be imported; only the packages around it are."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # what should be around it is not there
        return False


def check_installed(spec: str, *packages: str) -> None:
    """Raises MissingExtraError unless a model's libraries are here."""
    if not all(is_installed(package) for package in ("pydantic_ai", *packages)):
        raise MissingExtraError(f"the model {spec}", EXTRA)
