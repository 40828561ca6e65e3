from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.errors import StoreError
from speciate.evaluators import CaseCache, OutcomeCache
from speciate.records import CaseResult, Patched

RESULT = CaseResult("a", {"x": 1.5, "worst": math.inf, "name": "ü", "ok": True}, True, "fine", 0.25)


def made(text: str, fingerprint: str = "") -> Patched:
    """Returns the record of a program; `text` stands for its hash."""
    return Patched(ordinal=0, program=(("a.py", text),), fingerprint=fingerprint)


def test_only_what_came_before_is_found() -> None:
    cache = OutcomeCache()
    cache.note(5, made("p"), "c")
    assert cache.find(made("p"), "c", before=5) is None
    assert cache.find(made("p"), "c", before=6) == 5


def test_another_context_is_another_key() -> None:
    cache = OutcomeCache()
    cache.note(1, made("p"), "c")
    assert cache.find(made("p"), "other", before=9) is None


@given(st.lists(st.tuples(st.integers(0, 50), st.sampled_from("pqr")), max_size=30), st.integers(0, 60))
def test_the_smallest_ordinal_is_found_in_whatever_order_noted(
    notes: list[tuple[int, str]], before: int
) -> None:
    cache = OutcomeCache()
    for ordinal, program in notes:
        cache.note(ordinal, made(program), "c")
    earlier = [ordinal for ordinal, program in notes if program == "p" and ordinal < before]
    assert cache.find(made("p"), "c", before=before) == min(earlier, default=None)


def test_another_text_with_the_same_fingerprint_is_found_only_where_that_decides_the_score() -> None:
    for by_fingerprint, found in ((False, None), (True, 1)):
        cache = OutcomeCache(by_fingerprint=by_fingerprint)
        cache.note(1, made("p", "f"), "c")
        assert cache.find(made("q", "f"), "c", before=9) == found
        assert cache.find(made("q", "g"), "c", before=9) is None


def test_a_disabled_cache_finds_nothing() -> None:
    cache = OutcomeCache(enabled=False)
    cache.note(1, made("p"), "c")
    assert cache.find(made("p"), "c", before=9) is None


def test_a_case_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    cache, key = CaseCache(tmp_path / "new"), CaseCache.key("p", "e", "c", "a")
    cache.save({key: RESULT})
    assert cache.load([key, CaseCache.key("p", "e", "c", "b")]) == {key: RESULT}


def test_every_part_of_the_key_counts() -> None:
    keys = {
        CaseCache.key(*parts) for parts in [("p", "e", "c", "a"), ("p", "e", "a", "c"), ("pe", "", "c", "a")]
    }
    assert len(keys) == 3


def test_a_damaged_entry_is_a_miss(tmp_path: Path) -> None:
    cache, key = CaseCache(tmp_path), CaseCache.key("p", "e", "c", "a")
    cache.save({key: RESULT})
    (stored,) = tmp_path.rglob("*.json")
    for damaged in (
        stored.read_bytes()[:-20],
        b"",
        b"\xff\xfe",
        b"{}",
        stored.read_bytes().replace(b"1.5", b"9.5"),
    ):
        stored.write_bytes(damaged)
        assert cache.load([key]) == {}


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="file"):
        CaseCache(tmp_path / "file").save({CaseCache.key("p", "e", "c", "a"): RESULT})


def test_no_temporary_file_is_left_behind(tmp_path: Path) -> None:
    cache = CaseCache(tmp_path)
    cache.save({CaseCache.key("p", "e", "c", str(i)): RESULT for i in range(5)})
    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} == {".json"}
