"""What models cost.

Three sources, in this order: the user's own table (`LLMConfig.prices`), kinds whose price is known by their
nature (a scripted reply costs nothing), and the public price list of the ``genai-prices`` package. A model
found in none of them has an unknown price, which is None and never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from speciate.llm.characters import character
from speciate.llm.config import LLMConfig, ModelPrice
from speciate.llm.spec import Spec, parse_spec
from speciate.llm.vendors import VENDORS
from speciate.records import Dollars, Usage

if TYPE_CHECKING:
    from genai_prices.types import TieredPrices

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Rate:
    """Dollars per million tokens for requests of at least `start` input tokens.

    Attributes:
        input: price of tokens read.
        output: price of tokens written, reasoning included.
        cached: price of tokens read from a cache.
        start: input tokens from which this rate holds.
    """

    input: float
    output: float
    cached: float
    start: int = 0


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs and who says so.

    Attributes:
        rates: at least one, by rising `start`; the first starts at 0.
        source: where the numbers come from.
    """

    rates: tuple[Rate, ...]
    source: str

    @property
    def free(self) -> bool:
        """Whether no call costs anything."""
        return not any(rate.input or rate.output or rate.cached for rate in self.rates)

    def cost(self, usage: Usage) -> Dollars:
        """Returns the dollars one call with these tokens costs."""
        rate = next(r for r in reversed(self.rates) if r.start <= usage.input_tokens)
        fresh = usage.input_tokens - usage.cached_tokens
        read = fresh * rate.input + usage.cached_tokens * rate.cached
        return (read + usage.output_tokens * rate.output) / _MILLION


@dataclass(frozen=True, slots=True)
class PriceEntry:
    """One line of a run's price table; `price` is None when it is unknown."""

    spec: str
    price: Price | None


def flat(price: ModelPrice, source: str) -> Price:
    """Returns a price with one rate."""
    cached = price.input if price.cached is None else price.cached
    return Price((Rate(price.input, price.output, cached),), source)


FREE = flat(ModelPrice(input=0, output=0), "nobody is paid for it")


def priced(usage: Usage, price: Price | None) -> Usage:
    """Returns the usage of one call with its cost filled in: None when the price is unknown."""
    return replace(usage, cost=None if price is None else price.cost(usage))


def price_of(spec: str, config: LLMConfig) -> Price | None:
    """Returns what a model costs, or None when nobody knows.

    ``local:``, ``scripted:`` and ``replay:`` cost 0 dollars unless the user's table says otherwise: the
    power of one's own machine is not counted. ``simulated:`` characters declare a made-up price, so that
    budgets can be tried. ``command:`` and ``spool:`` are unknown unless priced.

    Raises:
        ConfigError: the spec cannot be understood.
    """
    parsed = parse_spec(spec)
    for name in (spec, parsed.model):
        if name in config.prices:
            return flat(config.prices[name], "the user's price table")
    if parsed.kind in ("local", "scripted", "replay"):
        return FREE
    if parsed.kind == "simulated":
        return flat(character(parsed.name).price, "made up by the simulated character")
    return _listed(parsed) if parsed.kind in VENDORS else None


def price_table(specs: Sequence[str], config: LLMConfig) -> tuple[PriceEntry, ...]:
    """Returns the prices a run starts with, one entry a spec, for its record."""
    return tuple(PriceEntry(spec, price_of(spec, config)) for spec in specs)


def _listed(spec: Spec) -> Price | None:
    """Returns the price in the public list, or None when the list or the package is not there.

    Where it changes with the hour, the dearest hour's: a reservation covers a call whenever it is made.
    """
    try:
        from genai_prices import __version__
    except ImportError:
        return None
    prices = _prices_today(spec.model, VENDORS[spec.kind].prices, writes=not spec.embeds)
    if not prices:
        return None
    dearest = max(prices, key=lambda price: (price.rates[0].output, price.rates[0].input))
    hours = ", at the dearest hour of the day" if any(price != dearest for price in prices) else ""
    return replace(dearest, source=f"genai-prices {__version__}{hours}")


def _prices_today(model: str, vendor: str, *, writes: bool) -> list[Price]:
    """Returns what a model costs from half hour to half hour of this day; empty when that is unknown.

    The list names no price of output for models that write nothing.
    """
    from genai_prices import Usage as NoTokens
    from genai_prices import calc_price

    midnight = datetime.now(tz=UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    prices = []
    for half_hour in range(48):
        moment = midnight + timedelta(minutes=30 * half_hour + 1)
        try:
            found = calc_price(NoTokens(), model, provider_id=vendor, genai_request_timestamp=moment)
        except LookupError:
            return []
        price = found.model_price
        written = price.output_mtok if writes else Decimal(0)
        if price.input_mtok is None or written is None:
            return []
        cached = price.input_mtok if price.cache_read_mtok is None else price.cache_read_mtok
        prices.append(Price(_rates(price.input_mtok, written, cached), ""))
    return prices


def _rates(
    read: Decimal | TieredPrices, written: Decimal | TieredPrices, cached: Decimal | TieredPrices
) -> tuple[Rate, ...]:
    """Returns one rate a tier. A tier holds for requests of more than its `start` input tokens."""
    from genai_prices.types import TieredPrices

    starts = {0}
    for column in (read, written, cached):
        if isinstance(column, TieredPrices):
            starts |= {tier.start + 1 for tier in column.tiers}
    return tuple(
        Rate(_at(read, start), _at(written, start), _at(cached, start), start) for start in sorted(starts)
    )


def _at(column: Decimal | TieredPrices, tokens: int) -> float:
    """Returns the dollars per million that hold for a request of so many input tokens."""
    from genai_prices.types import TieredPrices

    if not isinstance(column, TieredPrices):
        return float(column)
    passed = [tier.price for tier in column.tiers if tokens > tier.start]
    return float(passed[-1] if passed else column.base)
