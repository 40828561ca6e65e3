import numpy as np
import pytest

from speciate.reports import archive_map, read_facts
from speciate.tasks import DescriptorSpec
from speciate.testing.stories import Story

WIDTH = DescriptorSpec(name="width", range=(0.0, 3.0), bins=3)
DEPTH = DescriptorSpec(name="depth", edges=(1.0,))
COLOR = DescriptorSpec(name="color", range=(0.0, 1.0), bins=2)


def test_columns_are_the_first_axis_and_rows_the_second() -> None:
    story = Story().begin(descriptors=[WIDTH, DEPTH])
    story.scores(story.choose(), 1.0, cell=(2, 0))
    story.scores(story.choose(), 5.0, cell=(0, 1))
    cells = archive_map(story.history, read_facts(story.store))
    assert cells is not None
    assert (cells.x.name, cells.y and cells.y.name, cells.filled) == ("width", "depth", 2)
    np.testing.assert_array_equal(cells.scores, [[np.nan, np.nan, 1.0], [5.0, np.nan, np.nan]])
    assert cells.ordinals.tolist() == [[-1, -1, 0], [1, -1, -1]]


def test_one_axis_is_one_row() -> None:
    story = Story().begin(descriptors=[WIDTH], direction="minimize")
    story.scores(story.choose(), -4.0, cell=(1,))
    cells = archive_map(story.history, read_facts(story.store))
    assert cells is not None
    assert cells.y is None
    np.testing.assert_array_equal(cells.scores, [[np.nan, 4.0, np.nan]])


@pytest.mark.parametrize(
    ("axes", "ordinals"), [((0, 1), [[1, -1, -1], [-1, 2, -1]]), ((2, 1), [[0, 1], [2, -1]])]
)
def test_further_axes_are_looked_through_to_the_best(
    axes: tuple[int, int], ordinals: list[list[int]]
) -> None:
    story = Story().begin(descriptors=[WIDTH, DEPTH, COLOR])
    story.scores(story.choose(), 1.0, cell=(0, 0, 0))
    story.scores(story.choose(), 2.0, cell=(0, 0, 1))
    story.scores(story.choose(), 3.0, cell=(1, 1, 0))
    cells = archive_map(story.history, read_facts(story.store), axes=axes)
    assert cells is not None
    assert cells.ordinals.tolist() == ordinals


def test_archives_without_a_grid_have_no_map() -> None:
    story = Story().begin()
    story.scores(story.choose(), 1.0)
    assert archive_map(story.history, read_facts(story.store)) is None
