from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.mutation import AttemptsConfig
from speciate.mutation.attempts import FRESH_START, Stand
from speciate.records import Rejected

BAD_PATCH = Rejected("propose", "no_match", "")
DUPLICATE = Rejected("screen", "duplicate", "")
EMPTY = Rejected("propose", "empty", "")

endings = st.lists(st.sampled_from([BAD_PATCH, DUPLICATE, EMPTY]), max_size=40)


def lived(config: AttemptsConfig, ends: list[Rejected]) -> list[Rejected]:
    """The attempts of one candidate, until the config closes it."""
    tried: list[Rejected] = []
    for end in ends:
        tried.append(config.conclude(end, tried))
        if tried[-1].final:
            break
    return tried


@given(st.integers(1, 4), st.integers(1, 4), endings)
def test_no_candidate_is_tried_more_often_than_patch_times_resamples(
    patch: int, resamples: int, ends: list[Rejected]
) -> None:
    tried = lived(AttemptsConfig(patch=patch, resamples=resamples), ends)
    assert len(tried) <= patch * resamples
    assert all(not rejected.final for rejected in tried[:-1])


def test_bad_patches_alone_use_all_nine_default_attempts() -> None:
    assert len(lived(AttemptsConfig(), [BAD_PATCH] * 20)) == 9


@pytest.mark.parametrize("end", [DUPLICATE, EMPTY, *(Rejected("propose", r, "") for r in FRESH_START)])
def test_every_other_ending_uses_up_a_sample(end: Rejected) -> None:
    assert len(lived(AttemptsConfig(), [end] * 20)) == 3


def test_a_conversation_goes_on_after_bad_patches_only() -> None:
    config = AttemptsConfig(patch=3)
    assert config.stand([BAD_PATCH, BAD_PATCH]).turns == 2
    assert config.stand([BAD_PATCH, BAD_PATCH, BAD_PATCH]) == Stand(samples=1)
    assert config.stand([BAD_PATCH, DUPLICATE]) == Stand(samples=1)
    assert config.stand([DUPLICATE, BAD_PATCH]).turns == 1


def test_diffs_are_given_up_after_failing_in_a_row() -> None:
    config = AttemptsConfig(patch=5, diff_failures=2)
    assert not config.stand([BAD_PATCH], diffs=True).switched
    stand = config.stand([BAD_PATCH, BAD_PATCH], diffs=True)
    assert (stand.switched, stand.turns, stand.failures) == (True, 0, 2)
    assert config.stand([BAD_PATCH, BAD_PATCH, BAD_PATCH], diffs=True).turns == 1


def test_once_given_up_diffs_stay_given_up() -> None:
    config = AttemptsConfig(patch=3, resamples=5, diff_failures=2)
    for later in ([BAD_PATCH], [DUPLICATE], [EMPTY], [BAD_PATCH] * 6):
        assert config.stand([BAD_PATCH, BAD_PATCH, *later], diffs=True).switched


def test_a_diff_that_applied_breaks_the_row() -> None:
    config = AttemptsConfig(patch=5, diff_failures=2)
    assert not config.stand([BAD_PATCH, DUPLICATE, BAD_PATCH], diffs=True).switched
    assert config.stand([BAD_PATCH, EMPTY, BAD_PATCH], diffs=True).switched


def test_only_diffs_are_given_up_and_only_if_so_configured() -> None:
    assert not AttemptsConfig().stand([BAD_PATCH] * 5).switched
    assert not AttemptsConfig(diff_failures=None).stand([BAD_PATCH] * 5, diffs=True).switched
