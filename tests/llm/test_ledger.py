from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from speciate.errors import BudgetExceededError, ConfigError
from speciate.llm import Ledger, ModelPrice, PriceEntry, Reservation, worst_case
from speciate.llm.catalog import flat
from speciate.records import Message, Request, Sampling, Usage

PRICE = flat(ModelPrice(input=1.0, output=10.0), "test")
MAX_COST, MAX_TOKENS, MAX_CALLS = 0.05, 20_000, 12


def request(max_tokens: int = 100, text: str = "hello") -> Request:
    return Request((Message("user", (text,)),), Sampling(max_tokens=max_tokens))


def part(worst: Usage, share: float, calls: int) -> Usage:
    read, written = int(worst.input_tokens * share), int(worst.output_tokens * share)
    usage = Usage(calls, read, written)
    return Usage(calls, read, written, cost=None if worst.cost is None else PRICE.cost(usage))


class AnyInterleaving(RuleBasedStateMachine):
    """Reserves, settles and releases in any order; real use is anything up to the worst case."""

    open = Bundle("open")

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger(max_cost=MAX_COST, max_tokens=MAX_TOKENS, max_calls=MAX_CALLS)

    @rule(target=open, max_tokens=st.integers(1, 3000), size=st.integers(0, 3000), tries=st.integers(1, 4))
    def reserve(self, max_tokens: int, size: int, tries: int) -> Reservation | None:
        try:
            return self.ledger.reserve("m", request(max_tokens, "x" * size), PRICE, tries=tries)
        except BudgetExceededError:
            return None

    @rule(held=consumes(open), share=st.floats(0, 1))
    def settle(self, held: Reservation | None, share: float) -> None:
        if held is not None:
            self.ledger.settle(held, part(held.worst, share, calls=held.tries))

    @rule(held=consumes(open))
    def release(self, held: Reservation | None) -> None:
        if held is not None:
            self.ledger.release(held)

    @invariant()
    def no_cap_is_passed(self) -> None:
        total = self.ledger.spent + self.ledger.reserved
        assert total.calls <= MAX_CALLS
        assert total.input_tokens + total.output_tokens <= MAX_TOKENS
        assert total.cost is not None
        assert total.cost <= MAX_COST * (1 + 1e-6)


TestAnyInterleaving = AnyInterleaving.TestCase


def test_a_cap_can_be_used_up_to_its_last_call() -> None:
    ledger = Ledger(max_calls=2)
    for _ in range(2):
        ledger.settle(ledger.reserve("m", request(), PRICE), Usage(1, 5, 5, cost=0.0))
    with pytest.raises(BudgetExceededError, match="2 calls"):
        ledger.reserve("m", request(), PRICE)


def test_the_error_names_the_cap_and_nothing_is_held() -> None:
    ledger = Ledger(max_cost=1e-6)
    with pytest.raises(BudgetExceededError, match="1e-06 dollars"):
        ledger.reserve("m", request(), PRICE)
    assert ledger.reserved == Usage()


@pytest.mark.parametrize("cap", ["cost", "tokens", "calls"])
def test_the_error_names_the_least_cap_that_would_do(cap: str) -> None:
    def ledger(limit: float) -> Ledger:
        opened = Ledger(
            max_cost=limit if cap == "cost" else None,
            max_tokens=int(limit) if cap == "tokens" else None,
            max_calls=int(limit) if cap == "calls" else None,
        )
        opened.restore(Usage(3, 50, 50, cost=0.01))
        return opened

    with pytest.raises(BudgetExceededError) as refused:
        ledger(0).reserve("m", request(), PRICE, tries=2)
    assert refused.value.cap == cap
    needed = refused.value.needed
    assert needed is not None
    assert ledger(needed).reserve("m", request(), PRICE).tries == 1
    with pytest.raises(BudgetExceededError):
        ledger(needed * 0.99).reserve("m", request(), PRICE)


def test_fewer_tries_are_granted_when_fewer_fit() -> None:
    ledger = Ledger(max_calls=3)
    assert ledger.reserve("m", request(), PRICE, tries=4).tries == 3


def test_what_is_not_used_can_be_spent_again() -> None:
    ledger = Ledger(max_calls=1)
    ledger.release(ledger.reserve("m", request(), PRICE))
    assert ledger.reserve("m", request(), PRICE).tries == 1


def test_a_reservation_is_settled_once() -> None:
    ledger = Ledger()
    held = ledger.reserve("m", request(), PRICE)
    ledger.settle(held, Usage(1))
    with pytest.raises(ValueError, match="not open"):
        ledger.settle(held, Usage(1))


def test_an_unknown_price_needs_permission_when_money_is_capped() -> None:
    with pytest.raises(BudgetExceededError, match="unknown"):
        Ledger(max_cost=1.0).reserve("m", request(), None)
    assert Ledger(max_calls=1).reserve("m", request(), None).worst.cost is None


def test_unknown_prices_show_before_a_run_starts() -> None:
    entries = [PriceEntry("a", PRICE), PriceEntry("b", None), PriceEntry("c", None)]
    with pytest.raises(ConfigError, match="price of b, c, which is unknown"):
        Ledger(max_cost=1.0).check_prices(entries)
    Ledger(max_cost=1.0, allow_unknown_price=True).check_prices(entries)
    Ledger(max_calls=1).check_prices(entries)


def test_unpriced_spend_is_unknown_and_never_zero() -> None:
    ledger = Ledger(max_cost=1.0, allow_unknown_price=True)
    ledger.settle(ledger.reserve("m", request(), None), Usage(1, 5, 5, cost=None))
    ledger.settle(ledger.reserve("n", request(), PRICE), Usage(1, 5, 5, cost=0.25))
    assert (ledger.spent.cost, ledger.dollars) == (None, 0.25)


def test_restored_spend_counts_and_the_uncertain_part_is_shown() -> None:
    ledger = Ledger(max_calls=3)
    ledger.restore(Usage(1, 10, 10, cost=0.5))
    ledger.restore(worst_case(request(), PRICE), uncertain=True)
    assert ledger.spent.calls == 2
    assert ledger.uncertain == worst_case(request(), PRICE)
    ledger.reserve("m", request(), PRICE)
    with pytest.raises(BudgetExceededError):
        ledger.reserve("m", request(), PRICE)


def test_spend_past_a_cap_is_kept_and_stops_the_next_call() -> None:
    ledger = Ledger(max_tokens=1000)
    ledger.settle(ledger.reserve("m", request(), PRICE), Usage(1, 5000, 10, cost=0.0))
    assert ledger.spent.input_tokens == 5000
    with pytest.raises(BudgetExceededError, match="1000 tokens"):
        ledger.reserve("m", request(1), PRICE)


@given(text=st.text(max_size=300), max_tokens=st.integers(1, 10_000), tries=st.integers(1, 5))
def test_the_worst_case_grows_with_the_tries(text: str, max_tokens: int, tries: int) -> None:
    asked = request(max_tokens, text)
    one, many = worst_case(asked, PRICE), worst_case(asked, PRICE, tries=tries)
    assert (many.calls, many.input_tokens, many.output_tokens) == (
        tries,
        tries * one.input_tokens,
        tries * max_tokens,
    )
    assert one.cost is not None
    assert many.cost == pytest.approx(tries * one.cost)
