from __future__ import annotations

import pytest

from speciate.errors import TaskError
from speciate.tasks import LANGUAGES, Language, language, language_of


def test_names_aliases_and_suffixes_lead_to_the_language() -> None:
    assert language("C++") is language("cpp")
    assert language_of("lib/kernel.cu") == language("cuda")
    assert language_of("PROGRAM.PY") == language("python")
    assert language_of("x.h") == language("c")
    assert language_of("Makefile") is None


def test_an_unknown_language_names_the_nearest() -> None:
    with pytest.raises(TaskError, match="did you mean 'python'"):
        language("pyton")


def test_every_name_is_one_languages_own() -> None:
    names = [name for entry in LANGUAGES for name in (entry.name, *entry.aliases)]
    assert sorted(names) == sorted(set(names))
    assert all(name == name.lower() for name in names)


@pytest.mark.parametrize("spoken", LANGUAGES, ids=lambda entry: entry.name)
def test_a_comment_is_one_line_in_the_languages_style(spoken: Language) -> None:
    comment = spoken.comment("note")
    if comment is None:
        assert (spoken.line, spoken.block) == ((), ())
    else:
        assert "note" in comment
        assert "\n" not in comment


def test_check_commands_take_the_program_and_run_nothing() -> None:
    commands = [entry.check_command for entry in LANGUAGES if entry.check_command]
    assert len(commands) == 2
    assert all("-fsyntax-only" in command and command.count("{program}") == 1 for command in commands)
