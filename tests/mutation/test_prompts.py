from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from speciate.errors import ConfigError
from speciate.mutation import phrasing_names
from speciate.mutation.by_model import OPERATORS
from speciate.mutation.prompts import load_prompt, prompt_for, prompt_identities
from speciate.records import Program
from speciate.tasks import PLACEHOLDERS, ObjectiveSpec, ProgramSpec, Prompt, Task, TaskSpec

SPEC = TaskSpec(name="t", objectives=(ObjectiveSpec(name="s"),))


def task_with(prompts: Mapping[str, str]) -> Task:
    own = {name: Prompt(name, 7, text) for name, text in prompts.items()}
    return Task(SPEC, Program.of({"initial.py": ""}), prompts=own)


@pytest.mark.parametrize("name", PLACEHOLDERS)
def test_every_prompt_has_its_name_a_version_and_all_its_placeholders(name: str) -> None:
    prompt = load_prompt(name)
    assert prompt.name == name
    assert prompt.version >= 1
    assert prompt.placeholders == PLACEHOLDERS[name]


def test_every_operator_has_a_prompt() -> None:
    assert set(OPERATORS) == set(PLACEHOLDERS) - {"system", "retry"}


def test_an_unknown_prompt_is_named_with_its_neighbour() -> None:
    with pytest.raises(ConfigError, match="did you mean 'crossover'"):
        load_prompt("crosover")


def test_a_task_replaces_the_prompts_it_brings_and_no_others() -> None:
    task = task_with({"full": "Mine.", "system.short": "Brief."})
    assert prompt_for(task, "full").text == "Mine."
    assert prompt_for(task, "diff") == load_prompt("diff")
    assert prompt_for(task, "system") == load_prompt("system")


def test_a_variant_goes_before_the_plain_prompt_and_that_before_ours() -> None:
    task = task_with({"full": "Mine.", "system.short": "Brief.", "system": "Long."})
    texts = [prompt_for(task, name, "short").text for name in ("system", "full", "fix")]
    assert texts == ["Brief.", "Mine.", load_prompt("fix").text]


def test_a_variant_that_a_task_does_not_have_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"no prompts of variant 'shrot'; did you mean 'short'"):
        prompt_for(task_with({"system.short": "Brief."}), "full", "shrot")


def test_the_record_of_prompts_changes_with_every_wording() -> None:
    before, after = (prompt_identities(task_with({"full": text})) for text in ("Mine.", "Mine!"))
    phrased = {f"full.{name}" for name in phrasing_names()[1:]}
    assert set(before) == set(PLACEHOLDERS) | phrased
    assert {name for name in before if before[name] != after[name]} == {"full"}
    assert before["full"].startswith("7-")


@pytest.mark.parametrize("language", ["python", "cpp", "rust"])
@pytest.mark.parametrize("files", [("main.x",), ("main.x", "helper.x")])
@pytest.mark.parametrize("operator", OPERATORS)
def test_no_placeholder_reaches_a_model(operator: str, files: tuple[str, ...], language: str) -> None:
    spec = TaskSpec(
        name="t", objectives=(ObjectiveSpec(name="s"),), language=language, program=ProgramSpec(files=files)
    )
    text = OPERATORS[operator].instruction(Task(spec, Program.of(dict.fromkeys(files, ""))))
    assert not re.search(r"\{+\s*\w+\s*\}+", text)
    if operator != "diff":
        assert f"```{language}" in text
        bare = OPERATORS[operator].instruction(Task(spec, Program.of(dict.fromkeys(files, ""))), bare=True)
        assert "```" not in bare
    if len(files) > 1:
        assert "file: NAME" in text
        assert "helper.x" in text


def test_a_task_can_add_notes_for_all_and_for_one_operator() -> None:
    spec = TaskSpec(
        name="t",
        objectives=(ObjectiveSpec(name="s"),),
        notes={"all": "Be brief.", "diff": "Touch few lines."},
        imports_allowed=("math",),
    )
    task = Task(spec, Program.of({"initial.py": ""}))
    diff, full = OPERATORS["diff"].instruction(task), OPERATORS["full"].instruction(task)
    assert "Be brief." in diff
    assert "Be brief." in full
    assert ("Touch few lines." in diff, "Touch few lines." in full) == (True, False)
    assert "no others: math." in diff


def test_only_diffs_speak_of_search_blocks() -> None:
    task = Task(TaskSpec(name="t", objectives=(ObjectiveSpec(name="s"),)), Program.of({"initial.py": ""}))
    assert {name for name in OPERATORS if "SEARCH" in OPERATORS[name].instruction(task)} == {"diff"}
