from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.errors import ConfigError
from speciate.llm.dotenv import read_dotenv


def read(folder: Path, text: str) -> dict[str, str]:
    (folder / ".env").write_text(text)
    return dict(read_dotenv(folder / ".env"))


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("KEY=abc", "abc"),
        ("export KEY = abc", "abc"),
        ("  KEY=abc  # the key of the lab", "abc"),
        ("KEY=a#b", "a#b"),
        ("KEY='a # b'", "a # b"),
        ('KEY="a \\"b\\" \\\\ c" # said', 'a "b" \\ c'),
        ("KEY='a\\nb'", "a\\nb"),
        ('KEY="a\\nb"', "a\nb"),
        ("KEY=$HOME", "$HOME"),
        ("KEY=", ""),
        ("KEY=''", ""),
        ("KEY=abc\r", "abc"),
        ("KEY=two words", "two words"),
        ("KEY=a=b", "a=b"),
    ],
)
def test_a_line_gives_its_value(line: str, value: str, tmp_path: Path) -> None:
    assert read(tmp_path, f"# first\n\n{line}\n") == {"KEY": value}


def test_the_last_line_of_a_name_counts_and_a_byte_order_mark_does_not(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeffA=1\nB=2\nA=3\n") == {"A": "3", "B": "2"}


@pytest.mark.parametrize(
    "line", ["secret", "1A=secret", "A='secret", 'A="secret', "A-B=secret", "A='a' secret"]
)
def test_a_line_that_is_not_understood_is_named_and_not_shown(line: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="line 2: expected NAME=value") as refused:
        read(tmp_path, f"A=1\n{line}\n")
    assert "secret" not in str(refused.value)


def test_no_file_has_no_variables_and_a_changed_file_is_read_again(tmp_path: Path) -> None:
    assert read_dotenv(tmp_path / ".env") == {}
    assert read(tmp_path, "A=1") == {"A": "1"}
    assert read(tmp_path, "A=23") == {"A": "23"}
    os.utime(tmp_path / ".env", ns=(1, 1))
    (tmp_path / ".env").write_bytes(b"A=\xff")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_dotenv(tmp_path / ".env")


def test_a_folder_of_that_name_is_told(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    with pytest.raises(ConfigError, match="cannot read"):
        read_dotenv(tmp_path / ".env")


@given(value=st.text(st.characters(codec="ascii", exclude_categories=["C"]), max_size=40))
def test_what_is_quoted_comes_back(value: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    assert read(tmp_path_factory.mktemp("env"), f'KEY="{quoted}"') == {"KEY": value}
