from __future__ import annotations

import re

import pytest

from speciate.errors import ConfigError
from speciate.mutation.by_model import OPERATORS
from speciate.mutation.prompts import PROMPTS, Prompt, load_prompt, parse_prompt, prompt_versions
from speciate.records import Program
from speciate.tasks import ObjectiveSpec, ProgramSpec, Task, TaskSpec

FILE = "---\nname: greet\nversion: 3\n---\nHello {{ who }}, {{who}}!\n"


@pytest.mark.parametrize("name", PROMPTS)
def test_every_prompt_has_its_name_and_a_version(name: str) -> None:
    prompt = load_prompt(name)
    assert prompt.name == name
    assert prompt_versions()[name] == prompt.version >= 1
    assert prompt.text


def test_a_file_is_read_and_filled_in() -> None:
    prompt = parse_prompt(FILE, where="greet.md")
    assert (prompt.name, prompt.version) == ("greet", 3)
    assert prompt.render({"who": "Ada"}) == "Hello Ada, Ada!"


def test_braces_in_values_are_left_alone() -> None:
    assert (
        parse_prompt(FILE, where="f").render({"who": "{{who}} {0} \\1"}).startswith("Hello {{who}} {0} \\1,")
    )


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no value for the placeholder 'who'; did you mean 'whom'"):
        parse_prompt(FILE, where="f").render({"whom": "Ada"})


def test_a_value_that_nothing_takes_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no placeholder for the value 'language'"):
        Prompt("p", 1, "text").render({"language": "python"})


@pytest.mark.parametrize(
    "source", ["Hello", "---\nname: x\n---\nHello", "---\nname: x\nversion: new\n---\nHi"]
)
def test_a_file_without_a_proper_head_is_refused(source: str) -> None:
    with pytest.raises(ConfigError, match=r"x\.md: a prompt begins with"):
        parse_prompt(source, where="x.md")


def test_an_unknown_prompt_is_named_with_its_neighbour() -> None:
    with pytest.raises(ConfigError, match="did you mean 'crossover'"):
        load_prompt("crosover")


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
