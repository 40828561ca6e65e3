"""How property tests draw: the same examples every time, or, to search for what was missed, others each time.

By default examples follow from the test alone and none is remembered, so that a test fails only for a reason.
``HYPOTHESIS_PROFILE=fuzz`` draws at random, more examples where a test says no number, and remembers in
.hypothesis what failed. ``make fuzz`` runs only the property tests that way, several times.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No clock decides: neither how long an example took nor how long it took to draw it.
settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile(
    "fuzz",
    settings.get_profile("default"),
    derandomize=False,
    max_examples=1000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
