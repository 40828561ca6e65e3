from __future__ import annotations

import sys

import pytest

from speciate.errors import ConfigError
from speciate.llm import LLMConfig, ModelPrice, Price, Rate, price_of, price_table
from speciate.records import Usage

NOTHING = LLMConfig()


def test_the_users_table_comes_first_by_spec_then_by_model() -> None:
    table = {"openai:gpt-5-mini": ModelPrice(input=1, output=2), "gpt-5-mini": ModelPrice(input=3, output=4)}
    first = price_of("openai:gpt-5-mini", LLMConfig(prices=table))
    second = price_of("local:gpt-5-mini@http://127.0.0.1:1/v1", LLMConfig(prices=table))
    assert first is not None
    assert second is not None
    assert (first.rates[0].input, second.rates[0].input) == (1, 3)


@pytest.mark.parametrize("spec", ["scripted:a.jsonl", "replay:a.jsonl", "local:m@http://127.0.0.1:1/v1"])
def test_what_nobody_is_paid_for_costs_nothing(spec: str) -> None:
    price = price_of(spec, NOTHING)
    assert price is not None
    assert price.cost(Usage(1, 10**6, 10**6)) == 0


@pytest.mark.parametrize("spec", ["command:agent", "spool:folder", "openai:a-model-nobody-knows"])
def test_an_unknown_price_is_none(spec: str) -> None:
    assert price_of(spec, NOTHING) is None


def test_public_prices_name_their_source() -> None:
    price = price_of("openai:gpt-4.1", NOTHING)
    assert price is not None
    assert price.source.startswith("genai-prices ")
    assert price.cost(Usage(1, 10**6, 10**6)) == pytest.approx(10.0)


def test_our_reading_of_the_public_list_agrees_with_its_own_calculation_in_every_tier() -> None:
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    for model in ("gpt-5-mini", "gpt-5.4", "o3", "gpt-4.1-nano"):
        price = price_of(f"openai:{model}", NOTHING)
        assert price is not None
        for read in (1000, 272_000, 272_001, 300_000, *(rate.start + 1000 for rate in price.rates)):
            theirs = calc_price(
                Tokens(input_tokens=read, cache_read_tokens=400, output_tokens=50),
                model,
                provider_id="openai",
            )
            assert price.cost(Usage(1, read, 50, 400)) == pytest.approx(float(theirs.total_price))


def test_without_the_price_list_prices_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert price_of("openai:gpt-5-mini", NOTHING) is None


def test_cached_tokens_have_their_own_price() -> None:
    price = Price((Rate(input=10.0, output=0.0, cached=1.0),), "test")
    assert price.cost(Usage(1, 1000, cached_tokens=400)) == pytest.approx((600 * 10 + 400) / 1e6)


def test_a_run_records_every_models_price_unknown_ones_too() -> None:
    entries = price_table(["simulated:bold", "spool:folder"], NOTHING)
    assert [(entry.spec, entry.price is None) for entry in entries] == [
        ("simulated:bold", False),
        ("spool:folder", True),
    ]


def test_the_price_of_nonsense_is_an_error() -> None:
    with pytest.raises(ConfigError):
        price_of("nonsense", NOTHING)
