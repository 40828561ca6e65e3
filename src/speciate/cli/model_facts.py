"""What is known of models without asking them. Heavy: imported as the command runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from speciate.cli.output import Output, columns
from speciate.cli.settings import settings
from speciate.engine import GENETIC, is_model
from speciate.errors import UsageError
from speciate.llm import CHARACTERS, FREE, LLMConfig, Price, known_specs, open_llm, parse_spec, price_of
from speciate.mutation import proposer_names, proposer_origin

CREDENTIALS: Mapping[str, str] = {"openai": "OPENAI_API_KEY"}
"""Where each vendor's key is looked for."""

PACKAGES: Mapping[str, str] = {"pydantic_ai": "llm", "genai_prices": "llm"}
"""Optional packages that models need, with the extra that installs them."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of one model.

    Attributes:
        spec: as the user wrote it.
        ready: whether it can be opened: its key, file or server's address is there.
        problem: why it cannot be opened, or None.
        price: what it costs, or None when that is unknown.
    """

    spec: str
    ready: bool
    problem: str | None
    price: Price | None


def look_up(spec: str, config: LLMConfig) -> ModelFacts:
    """Opens a model without sending anything. Proposers that ask no model are ready and cost nothing.

    Raises:
        ConfigError: the spec cannot be understood.
    """
    if not is_model(spec):
        return ModelFacts(spec, True, None, FREE)
    price = price_of(parse_spec(spec).text, config)
    try:
        open_llm(spec, config)
    except UsageError as error:
        return ModelFacts(spec, False, str(error), price)
    return ModelFacts(spec, True, None, price)


def price_words(price: Price | None) -> str:
    """Returns a price in words; unknown is said and never shown as 0."""
    if price is None:
        return "price unknown (give it under llm.prices)"
    first = price.rates[0]
    more = ", more for long prompts" if len(price.rates) > 1 else ""
    return f"${first.input:g} in, ${first.output:g} out per million tokens{more} ({price.source})"


def show_specs(specs: Sequence[str], file: Path | None, output: Output) -> None:
    """Tells whether these models can be used and what they cost."""
    config = settings([], file=file).llm
    facts = [look_up(spec, config) for spec in specs]
    rows = [(each.spec, "ready" if each.ready else "not ready", price_words(each.price)) for each in facts]
    output.say(*columns(rows, indent=""))
    output.say(*(f"{each.spec}: {each.problem}" for each in facts if each.problem))
    output.result({"models": facts})


def show_known(output: Output) -> None:
    """Lists the forms of a spec, proposers, keys and packages that are present, and characters."""
    keys = {name: bool(os.environ.get(name, "").strip()) for name in CREDENTIALS.values()}
    packages = {name: find_spec(name) is not None for name in PACKAGES}
    characters = [look_up(f"simulated:{name}", LLMConfig()) for name in CHARACTERS]
    installed = {name: proposer_origin(name) for name in proposer_names()}
    output.say("A model is named by one string:", f"  {GENETIC}", *(f"  {form}" for form in known_specs()))
    output.say("", "Other proposers that are installed, named alone or as NAME:ARGUMENT:")
    output.say(*(columns(installed.items()) or ["  none"]))
    output.say("", "Keys in the environment:")
    output.say(*columns((name, "present" if there else "absent") for name, there in keys.items()))
    output.say("", "Optional packages:")
    output.say(*columns((name, _installed(name, there)) for name, there in packages.items()))
    output.say("", "Simulated characters, for trying things out (made-up prices, nobody is paid):")
    output.say(*columns((each.spec, price_words(each.price)) for each in characters))
    output.say("", "Prices of others: speciate models SPEC...")
    output.result(
        {
            "forms": [GENETIC, *known_specs()],
            "proposers": installed,
            "credentials": keys,
            "packages": packages,
            "models": characters,
        }
    )


def _installed(name: str, there: bool) -> str:
    return "installed" if there else f"absent: pip install 'speciate[{PACKAGES[name]}]'"
