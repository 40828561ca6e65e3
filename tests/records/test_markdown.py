from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.records import fence_for


@pytest.mark.parametrize(
    ("text", "ticks"), [("", 3), ("a `b` ``c``", 3), ("```py\nx\n```", 4), ("a`````b```", 6)]
)
def test_a_fence_is_longer_than_every_one_inside_and_no_longer_than_needed(text: str, ticks: int) -> None:
    assert fence_for(text) == "`" * ticks


@given(st.text("`a\n", max_size=40))
def test_no_text_closes_its_fence(text: str) -> None:
    runs = [len(list(run)) for letter, run in groupby(text) if letter == "`"]
    fence = fence_for(text)
    assert set(fence) == {"`"}
    assert len(fence) >= 3
    assert all(run < len(fence) for run in runs)
