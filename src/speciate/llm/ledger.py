"""What a run may spend on models, what it has spent, and what is promised to calls in flight."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal, TypeAlias

from speciate.errors import BudgetExceededError, ConfigError
from speciate.llm.catalog import Price, PriceEntry
from speciate.llm.tokens import request_at_most
from speciate.records import Dollars, Request, Usage

Cap: TypeAlias = Literal["calls", "tokens", "cost"]

_SLACK = 1 + 1e-9  # sums of floats may pass a cap by rounding alone


@dataclass(frozen=True, slots=True)
class Reservation:
    """A promise that one request's worst case fits under the caps.

    Attributes:
        number: identity within its ledger.
        spec: the model it is for.
        tries: how often the request may be sent, the first time included; at least 1.
        worst: tokens, calls and dollars if every try is billed in full; cost None if the price is unknown.
    """

    number: int
    spec: str
    tries: int
    worst: Usage


def worst_case(request: Request, price: Price | None, *, tries: int = 1) -> Usage:
    """Returns the most that a request may use.

    Counts an upper estimate of the input and all of `max_tokens`, each try billed in full.
    """
    one = Usage(1, request_at_most(request), request.sampling.max_tokens, cost=None)
    one = replace(one, cost=None if price is None else price.cost(one))
    return sum((one for _ in range(tries)), Usage())


class Ledger:
    """Keeps the sum of what was spent and what is reserved under every cap.

    Not thread-safe: it belongs to one event loop and never awaits. Dollars of calls whose price is unknown
    are not in `dollars`, and `spent.cost` is then None.
    """

    def __init__(
        self,
        *,
        max_cost: Dollars | None = None,
        max_tokens: int | None = None,
        max_calls: int | None = None,
        allow_unknown_price: bool = False,
    ) -> None:
        """Opens a ledger; a cap of None never stops anything."""
        self._max_cost = max_cost
        self._caps: Mapping[Cap, float | None] = {"calls": max_calls, "tokens": max_tokens, "cost": max_cost}
        self._allow_unknown_price = allow_unknown_price
        self._open: dict[int, Reservation] = {}
        self._numbers = count()
        self._spent = Usage()
        self._uncertain = Usage()
        self._dollars = 0.0

    @property
    def spent(self) -> Usage:
        """Everything settled and restored, uncertain spend included; cost None if any price was unknown."""
        return self._spent

    @property
    def uncertain(self) -> Usage:
        """The part of `spent` that was asked for and never answered, at its worst case."""
        return self._uncertain

    @property
    def dollars(self) -> Dollars:
        """Dollars spent on calls whose price is known."""
        return self._dollars

    @property
    def reserved(self) -> Usage:
        """The sum of all open reservations' worst cases."""
        return sum((r.worst for r in self._open.values()), Usage())

    def reserve(self, spec: str, request: Request, price: Price | None, *, tries: int = 1) -> Reservation:
        """Sets aside the worst case of a request.

        Args:
            spec: the model.
            request: the question.
            price: what the model costs, or None when unknown.
            tries: most tries wanted. Fewer are granted when fewer fit, so that retries never keep the last
                affordable call from being made.

        Returns:
            A reservation to `settle` or `release`.

        Raises:
            BudgetExceededError: not even one try fits, or there is a money cap and the price is unknown.
        """
        self._check_price(spec, price)
        for granted in range(max(tries, 1), 0, -1):
            worst = worst_case(request, price, tries=granted)
            broken = self._broken_cap(worst)
            if broken is None:
                reservation = Reservation(next(self._numbers), spec, granted, worst)
                self._open[reservation.number] = reservation
                return reservation
        assert broken is not None  # the loop runs at least once and did not return
        unit = "dollars" if broken == "cost" else broken
        raise BudgetExceededError(
            f"the next call to {spec} may pass the cap of {self._caps[broken]} {unit}",
            cap=broken,
            needed=self._totals(worst)[broken],
        )

    def settle(self, reservation: Reservation, usage: Usage) -> None:
        """Replaces a reservation by what was really used. Raises ValueError if it is not open."""
        self.release(reservation)
        self.restore(usage)

    def release(self, reservation: Reservation) -> None:
        """Gives a reservation back unused. Raises ValueError if it is not open."""
        if self._open.pop(reservation.number, None) is None:
            raise ValueError(f"reservation {reservation.number} is not open")

    def restore(self, usage: Usage, *, uncertain: bool = False) -> None:
        """Counts spend that is already made: a stored reply on resume, or a worst case never answered.

        Never refuses: what is spent is spent, even past a cap. The next `reserve` then fails.

        Args:
            usage: what was used.
            uncertain: whether it is the worst case of a request that was asked and has no reply.
        """
        self._spent += usage
        if uncertain:
            self._uncertain += usage
        self._dollars += usage.cost or 0.0

    def check_prices(self, entries: Sequence[PriceEntry]) -> None:
        """Says before a run whether its cap on cost can be kept.

        Raises:
            ConfigError: there is a cap on cost, a price is unknown, and that was not allowed.
        """
        unknown = [entry.spec for entry in entries if entry.price is None]
        if unknown and self._max_cost is not None and not self._allow_unknown_price:
            raise ConfigError(
                f"a cap on cost needs the price of {', '.join(unknown)}, which is unknown: give it under "
                "llm.prices, or allow it with --allow-unknown-price"
            )

    def _check_price(self, spec: str, price: Price | None) -> None:
        if price is None and self._max_cost is not None and not self._allow_unknown_price:
            raise BudgetExceededError(
                f"the price of {spec} is unknown and there is a cap on cost: "
                "give its price in llm.prices or allow unknown prices"
            )

    def _broken_cap(self, worst: Usage) -> Cap | None:
        """Names the first cap that `worst` would break on top of what is spent and reserved, or None."""
        totals = self._totals(worst)
        for name, cap in self._caps.items():
            if cap is not None and totals[name] > cap * (_SLACK if name == "cost" else 1):
                return name
        return None

    def _totals(self, worst: Usage) -> Mapping[Cap, float]:
        """Returns what counts against each cap with `worst` on top of what is spent and reserved."""
        held = [r.worst for r in self._open.values()]
        return {
            "calls": sum(u.calls for u in (self._spent, worst, *held)),
            "tokens": sum(u.input_tokens + u.output_tokens for u in (self._spent, worst, *held)),
            "cost": math.fsum([self._dollars, *(u.cost for u in (worst, *held) if u.cost is not None)]),
        }
