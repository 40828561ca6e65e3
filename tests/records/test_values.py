from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.records import (
    Context,
    Failure,
    FailureKind,
    Member,
    Message,
    Objective,
    Outcome,
    Placement,
    PlacementKind,
    Program,
    Request,
    Result,
    Sampling,
    Usage,
    text_hash,
)
from speciate.testing.events import usages

texts = st.dictionaries(st.text(min_size=1, max_size=8), st.text(max_size=20), min_size=1, max_size=3)


def test_a_text_hash_is_forty_hexadecimal_digits() -> None:
    assert text_hash("abc") == "384264f676f39536840523f284921cdc68b6846b"
    assert len(text_hash("\ud800")) == 40


@given(texts, texts)
def test_programs_are_equal_when_their_hashes_are(one: dict[str, str], other: dict[str, str]) -> None:
    assert (Program.of(one).hash == Program.of(other).hash) == (Program.of(one) == Program.of(other))


def test_a_program_hash_tells_names_order_and_contents_apart() -> None:
    program = Program.of({"a.py": "1", "b.py": "2"})
    others = (
        {"b.py": "2", "a.py": "1"},
        {"a.py": "2", "b.py": "1"},
        {"a.py": "1"},
        {"a.py": "1", "c.py": "2"},
    )
    assert len({program.hash, *(Program.of(files).hash for files in others)}) == 5


def test_a_program_knows_its_entry_and_replaces_one_file() -> None:
    program = Program.of({"a.py": "1", "b.py": "2"})
    assert (program.entry, program.source, program.text("b.py")) == ("a.py", "1", "2")
    changed = program.replace("b.py", "3")
    assert changed.files == (("a.py", "1"), ("b.py", "3"))
    assert program.text("b.py") == "2"
    with pytest.raises(KeyError):
        program.replace("c.py", "")


def test_contexts_are_multisets_of_opponents_with_settings_and_seeds() -> None:
    one, other = Program.of({"a": "1"}), Program.of({"a": "2"})
    hashes = {
        Context().hash,
        Context((one,)).hash,
        Context((one, one)).hash,
        Context((one, other)).hash,
        Context(settings={"x": 1}).hash,
        Context(seeds=(1,)).hash,
    }
    assert len(hashes) == 6
    assert Context(settings={"x": 1, "y": 2}).hash == Context(settings={"y": 2, "x": 1}).hash


@given(usages, usages, usages)
def test_usage_adds_up_in_any_order(a: Usage, b: Usage, c: Usage) -> None:
    left, right = (a + b) + c, a + (b + c)
    assert (a + b).calls == (b + a).calls
    assert left.input_tokens == right.input_tokens == a.input_tokens + b.input_tokens + c.input_tokens
    assert (left.cost is None) == (a.cost is None or b.cost is None or c.cost is None)


def test_an_unknown_cost_stays_unknown() -> None:
    assert (Usage(1, cost=0.5) + Usage(1, cost=0.25)).cost == 0.75
    assert (Usage(1, cost=0.5) + Usage(1, cost=None)).cost is None
    assert (Usage(1, cost=None) + Usage(1, cost=0.0)).cost is None
    assert Usage() + Usage(3, 5, 7, 2, 1, 0.5) == Usage(3, 5, 7, 2, 1, 0.5)


def test_an_outcome_has_a_result_or_a_failure() -> None:
    failure = Failure(FailureKind.CRASH, "signal 11")
    with pytest.raises(ValueError, match="either"):
        Outcome()
    with pytest.raises(ValueError, match="either"):
        Outcome(result=Result((1.0,)), failure=failure)
    assert not Outcome(failure=failure).valid
    assert Outcome(failure=failure).fitness is None
    assert Outcome(result=Result((0.0,))).valid
    assert Outcome(result=Result((-3.0, 2.0))).fitness == (-3.0, 2.0)


@given(st.floats(allow_nan=False))
def test_a_minimised_objective_is_negated_once_and_back(value: float) -> None:
    assert Objective("loss", "minimize").inward(value) == -value
    assert Objective("gain").inward(value) == value
    for objective in (Objective("loss", "minimize"), Objective("gain")):
        assert objective.outward(objective.inward(value)) == value


def test_a_request_hash_covers_roles_texts_and_sampling_but_not_the_cuts() -> None:
    def request(*parts: str, role: str = "user", tokens: int = 5) -> Request:
        assert role in ("user", "system")
        return Request((Message("user" if role == "user" else "system", parts),), Sampling(max_tokens=tokens))

    assert request("a", "b").hash == request("ab").hash
    hashes = {
        request("ab").hash,
        request("ab", role="system").hash,
        request("ab", tokens=6).hash,
        request("abc").hash,
    }
    assert len(hashes) == 4


@pytest.mark.parametrize("kind", PlacementKind)
def test_only_what_is_not_kept_is_no_occupant(kind: PlacementKind) -> None:
    assert Placement(kind).kept == (kind is not PlacementKind.NOT_KEPT)


def test_values_can_be_keys() -> None:
    assert len({Member(1, (1.0,)), Member(1, (1.0,)), Member(2, (1.0,))}) == 2
