from __future__ import annotations

from pathlib import Path

import pytest

from speciate.errors import ConfigError
from speciate.mutation import is_named, open_proposer, proposer_names, proposer_origin
from speciate.testing.packages import MOVES, install_package
from speciate.testing.proposers import small_task


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_package(tmp_path, monkeypatch)


def test_a_package_brings_a_proposer_along() -> None:
    assert "moves" in proposer_names()
    assert is_named("moves")
    assert is_named("moves:left")
    assert not is_named("move")
    assert not is_named("genetic")


def test_the_factory_is_handed_what_follows_the_name_and_the_task() -> None:
    proposer = open_proposer("moves:left:2", small_task())
    assert proposer.name == "moves:left:2"
    assert proposer.operators == ("left:2", "small")


def test_where_it_comes_from_is_told_with_its_version() -> None:
    assert proposer_origin("moves:left") == "moving-things 1.5, moving_things:open_moves"


def test_an_unknown_name_is_an_error_that_tells_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'moves'"):
        open_proposer("movs", small_task())


def test_a_factory_that_cannot_be_imported_is_named() -> None:
    with pytest.raises(ConfigError, match=r"'absent' \(nowhere_at_all:open\) cannot be imported"):
        open_proposer("absent", small_task())


def test_a_factory_must_give_a_proposer() -> None:
    with pytest.raises(ConfigError, match="should return a Proposer, not str"):
        open_proposer("nonsense", small_task())


def test_the_factory_refuses_in_its_own_words() -> None:
    with pytest.raises(ConfigError, match="nothing moves upwards"):
        open_proposer("moves:up", small_task())
    assert "up" in MOVES
