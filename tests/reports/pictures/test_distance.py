import numpy as np

from speciate.reports import SeedDistances
from speciate.reports.pictures import running_median
from speciate.reports.pictures.distance import best_steps
from speciate.reports.timeline import NewBest


def test_the_running_median_is_that_of_neighbours() -> None:
    x, y = np.arange(24), np.repeat([1.0, 5.0, 3.0], 8)
    assert [values.tolist() for values in running_median(x, y)] == [[3.5, 11.5, 19.5], [1.0, 5.0, 3.0]]
    assert [values.tolist() for values in running_median(x[:1], y[:1])] == [[0.0], [1.0]]


def test_the_line_of_the_best_goes_on_to_the_end() -> None:
    closed = np.array([1, 4, 9])
    bests = [NewBest(1, 0, 0), NewBest(4, 0, 3)]
    found = SeedDistances(closed, closed, np.array([0.0, 0.5, 0.25]), bests, np.array([0.0, 0.5]), 3)
    assert [values.tolist() for values in best_steps(found)] == [[1, 4, 9], [0.0, 0.5, 0.5]]
