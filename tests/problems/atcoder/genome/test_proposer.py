import pytest

from speciate.errors import ConfigError
from speciate.problems.atcoder import load
from speciate.problems.atcoder.contests import CONTESTS
from speciate.problems.atcoder.genome import open_cpp
from speciate.problems.atcoder.genome.sites import faults
from speciate.tasks import load_task


def test_a_task_in_another_language_and_an_argument_are_refused() -> None:
    with pytest.raises(ConfigError, match="C\\+\\+"):
        open_cpp("", load_task("circle_packing"))
    with pytest.raises(ConfigError, match="no argument"):
        open_cpp("fast", load())


@pytest.mark.parametrize("contest", sorted(CONTESTS))
def test_the_initial_programs_parse_and_have_sites(contest: str) -> None:
    task = load({"contest": contest})
    assert faults(task.initial.source.encode()) == 0
    (file,) = open_cpp("", task).files(task.initial, task.spec)
    assert len(file.sites.numbers) >= 5
    assert file.sites.symbols


def test_a_change_that_does_not_parse_is_refused_before_the_compiler() -> None:
    task = load()
    proposer = open_cpp("", task)
    (file,) = proposer.files(task.initial, task.spec)
    broken = file.sites.data.replace(b"return mackerels - SARDINE", b"return mackerels - * * SARDINE ) (")
    assert broken != file.sites.data
    assert proposer.problem(file, broken, len(broken)) == "unparsable"
    fine = file.sites.data.replace(b"HOT = 30.0", b"HOT = 31.0")
    assert proposer.problem(file, fine, len(fine)) is None
