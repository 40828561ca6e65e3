"""What is known of models without asking them. Heavy: imported as the command runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from speciate.cli.output import Output, columns
from speciate.cli.settings import settings
from speciate.engine import GENETIC, is_model
from speciate.errors import UsageError
from speciate.llm import (
    EXTRA,
    FREE,
    VENDORS,
    LLMConfig,
    Price,
    character_names,
    is_installed,
    known_specs,
    open_llm,
    parse_spec,
    price_of,
    sources,
)
from speciate.mutation import proposer_names, proposer_origin

PACKAGES = tuple(
    dict.fromkeys(["pydantic_ai", "genai_prices", *chain(*(vendor.packages for vendor in VENDORS.values()))])
)
"""Optional packages that models need; one extra installs all of them."""


@dataclass(frozen=True, slots=True)
class VendorFacts:
    """What is known of one vendor here. Names of variables, never their values.

    Attributes:
        kind: what its specs begin with.
        name: what people call it.
        keys: the variables that may hold its key.
        found: the ones that are set, each with where.
        missing: packages of its library that are absent.
        address: the variable that may move it to another address.
    """

    kind: str
    name: str
    keys: tuple[str, ...]
    found: Mapping[str, str]
    missing: tuple[str, ...]
    address: str


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of one model.

    Attributes:
        spec: as the user wrote it.
        ready: whether it can be opened: its key, file or server's address is there.
        problem: why it cannot be opened, or None.
        price: what it costs, or None when that is unknown.
        date: the day for which the price was looked up; a list knows prices that begin and end.
    """

    spec: str
    ready: bool
    problem: str | None
    price: Price | None
    date: str = field(default_factory=lambda: datetime.now(tz=UTC).date().isoformat())


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


def vendor_facts() -> tuple[VendorFacts, ...]:
    """Looks for every vendor's key and library.

    Raises:
        ConfigError: ``.env`` cannot be understood.
    """
    places = sources()
    facts = []
    for vendor in VENDORS.values():
        found = {
            name: source.name
            for source in reversed(places)
            for name in vendor.credentials
            if source.get(name)
        }
        missing = tuple(name for name in ("pydantic_ai", *vendor.packages) if not is_installed(name))
        facts.append(
            VendorFacts(vendor.kind, vendor.name, vendor.credentials, found, missing, vendor.address)
        )
    return tuple(facts)


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
    rows = [
        (each.spec, "ready" if each.ready else "not ready", price_words(each.price), f"as of {each.date}")
        for each in facts
    ]
    output.say(*columns(rows, indent=""))
    output.say(*(f"{each.spec}: {each.problem}" for each in facts if each.problem))
    output.result({"models": facts})


def show_known(output: Output) -> None:
    """Lists the forms of a spec, proposers, keys and packages that are present, and characters."""
    vendors = vendor_facts()
    packages = {name: is_installed(name) for name in PACKAGES}
    characters = [look_up(f"simulated:{name}", LLMConfig()) for name in character_names()]
    installed = {name: proposer_origin(name) for name in proposer_names()}
    output.say("A model is named by one string:", f"  {GENETIC}", *(f"  {form}" for form in known_specs()))
    output.say("", "Other proposers that are installed, named alone or as NAME:ARGUMENT:")
    output.say(*(columns(installed.items()) or ["  none"]))
    output.say("", "Vendors, and where their keys are (in the environment or in a file .env here):")
    output.say(*columns((f"{each.kind}:", each.name, _keys(each)) for each in vendors))
    output.say("", "Optional packages:")
    output.say(*columns((name, _installed(there)) for name, there in packages.items()))
    output.say("", "Simulated characters, for trying things out (made-up prices, nobody is paid):")
    output.say(*columns((each.spec, price_words(each.price)) for each in characters))
    output.say(
        "", "Prices of others: speciate models SPEC...", "Do they answer? speciate models --probe SPEC..."
    )
    output.result(
        {
            "forms": [GENETIC, *known_specs()],
            "proposers": installed,
            "vendors": vendors,
            "credentials": {name: name in each.found for each in vendors for name in each.keys},
            "packages": packages,
            "models": characters,
        }
    )


def _keys(vendor: VendorFacts) -> str:
    if not vendor.found:
        return f"absent: {' or '.join(vendor.keys[:2])}"
    return ", ".join(f"{name} present in {place}" for name, place in vendor.found.items())


def _installed(there: bool) -> str:
    return "installed" if there else f"absent: pip install 'speciate[{EXTRA}]'"
