import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from speciate.mutation.genetic.config import GeneticConfig
from speciate.mutation.genetic.traits import STEP_RANGE, Traits

CONFIG = GeneticConfig()


@given(st.dictionaries(st.sampled_from(["step", "else"]), st.floats()), st.integers(0, 2**32))
def test_traits_stay_within_their_bounds(given_traits: dict[str, float], seed: int) -> None:
    traits = Traits.inherited(given_traits, CONFIG).mutated(CONFIG, np.random.default_rng(seed))
    assert STEP_RANGE[0] <= traits.step <= STEP_RANGE[1]


def test_a_program_without_traits_begins_as_the_config_says() -> None:
    assert Traits.inherited({}, GeneticConfig(step=0.25)) == Traits(0.25)


def test_what_is_recorded_is_inherited() -> None:
    traits = Traits(0.0123)
    assert Traits.inherited(traits.record(), CONFIG) == traits


def test_the_logarithm_of_the_step_drifts_upwards_a_little() -> None:
    rng = np.random.default_rng(0)
    steps = np.log([Traits(1e-3).mutated(CONFIG, rng).step for _ in range(4000)])
    assert abs(float(np.mean(steps)) - np.log(1e-3) - CONFIG.step_drift) < 0.06
    assert abs(float(np.std(steps)) - CONFIG.step_rate) < 0.06
