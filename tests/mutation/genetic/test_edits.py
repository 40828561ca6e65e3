import numpy as np
import pytest

from speciate.mutation.genetic.edits import Edit, pick_weighted, sample, splice


def test_edits_apply_in_any_order() -> None:
    assert splice(b"abcdef", [Edit(4, 6, b"Z"), Edit(0, 1, b"XY"), Edit(2, 2, b"-")]) == b"XYb-cdZ"


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        splice(b"abcdef", [Edit(0, 3, b""), Edit(2, 4, b"")])


def test_weights_are_shares() -> None:
    rng = np.random.default_rng(0)
    drawn = [pick_weighted(rng, "abc", [1.0, 0.0, 3.0]) for _ in range(2000)]
    assert drawn.count("b") == 0
    assert 1350 < drawn.count("c") < 1650


def test_a_sample_has_no_repeats() -> None:
    rng = np.random.default_rng(0)
    assert sorted(sample(rng, [1, 2, 3], 5)) == [1, 2, 3]
    assert len(set(sample(rng, range(100), 10))) == 10
