from __future__ import annotations

from pathlib import Path

import pytest

from speciate.errors import ConfigError, TaskError
from speciate.tasks import Prompt, load_folder, parse_prompt, task_prompt

FILE = "---\nname: greet\nversion: 3\n---\nHello {{ who }}, {{who}}!\n"
TASK = """
name = "small"

[[objectives]]
name = "score"

[program]
mutable = "whole"

[evaluation]
kind = "plain"

[parameters]
size = 80
"""


def full(text: str, *, stem: str = "full") -> str:
    return f"---\nname: {stem}\nversion: 1\n---\n{text}\n"


def folder_with(folder: Path, files: dict[str, str]) -> Path:
    (folder / "prompts").mkdir()
    texts = {"task.toml": TASK, "initial.py": "x = 1\n", "evaluate.py": "def evaluate(path): ...\n"}
    for name, text in (texts | files).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_file_is_read_and_filled_in() -> None:
    prompt = parse_prompt(FILE, where="greet.md")
    assert (prompt.name, prompt.version) == ("greet", 3)
    assert prompt.render({"who": "Ada"}) == "Hello Ada, Ada!"


def test_braces_in_values_are_left_alone() -> None:
    said = parse_prompt(FILE, where="f").render({"who": "{{who}} {0} \\1"})
    assert said.startswith("Hello {{who}} {0} \\1,")


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no value for the placeholder 'who'; did you mean 'whom'"):
        parse_prompt(FILE, where="f").render({"whom": "Ada"})


def test_what_a_prompt_does_not_ask_for_is_left_out() -> None:
    assert Prompt("p", 1, "text").render({"language": "python"}) == "text"


def test_a_part_can_be_filled_in_before_the_rest() -> None:
    assert Prompt("p", 1, "{{a}} {{b}}").filled({"a": "1"}).render({"b": "2"}) == "1 2"


@pytest.mark.parametrize(
    "source", ["Hello", "---\nname: x\n---\nHello", "---\nname: x\nversion: new\n---\nHi"]
)
def test_a_file_without_a_proper_head_is_refused(source: str) -> None:
    with pytest.raises(TaskError, match=r"x\.md: a prompt begins with"):
        parse_prompt(source, where="x.md")


@pytest.mark.parametrize(
    ("stem", "source", "message"),
    [
        ("ful", full("Hi", stem="ful"), "no prompt 'ful'; did you mean 'full'"),
        ("full.a b", full("Hi"), "a variant is one word"),
        ("full.short", full("Hi"), "expected name: full.short"),
        ("full", full("{{anser}}"), "nothing fills the placeholder 'anser'; did you mean 'answer'"),
        ("system", full("{{answer}}", stem="system"), r"'answer' \(known: none\)"),
        ("retry", full("{{rules}}", stem="retry"), "nothing fills the placeholder 'rules'"),
    ],
)
def test_prompts_of_a_task_that_would_never_work_are_refused(stem: str, source: str, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        task_prompt(source, stem=stem, where="there.md")


def test_a_task_folder_brings_prompts_variants_and_a_grammar(tmp_path: Path) -> None:
    files = {
        "prompts/full.md": full("At most {{parameters.size}} lines. Give {{answer}}."),
        "prompts/system.short.md": full("Brief.", stem="system.short"),
        "prompts/grammar.gbnf": 'root ::= "x"\n',
    }
    task = load_folder(folder_with(tmp_path, files), {"size": 9})
    assert set(task.prompts) == {"full", "system.short"}
    assert task.prompts["full"].text == "At most 9 lines. Give {{answer}}."
    assert task.grammar == 'root ::= "x"\n'


def test_a_task_folder_without_prompts_brings_none(tmp_path: Path) -> None:
    task = load_folder(folder_with(tmp_path, {}))
    assert (dict(task.prompts), task.grammar, task.read_reply) == ({}, None, None)


def test_a_wrong_prompt_is_found_when_the_task_is_loaded(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, {"prompts/full.md": full("{{parameters.sise}}")})
    with pytest.raises(TaskError, match=r"full\.md.*did you mean 'parameters.size'"):
        load_folder(folder)
