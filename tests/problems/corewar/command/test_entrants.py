"""Who fights: files, folders, built-in warriors, and every wrong name in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine


def refused(cli: CommandLine, *words: object) -> str:
    said = cli("battle", *map(str, words), "--json")
    assert said.code == 2
    assert "Traceback" not in said.err
    error = said.json["error"]
    assert isinstance(error, str)
    assert "\n" not in error
    return error


def test_nobody_is_named(cli: CommandLine) -> None:
    assert "name the warriors" in refused(cli)


def test_a_file_is_missing(cli: CommandLine) -> None:
    assert refused(cli, "imp.red", "nowhere.red") == "there is no file nowhere.red"
    assert refused(cli, "dwarf").endswith("did you mean builtin:dwarf?")


def test_a_name_is_too_long_or_none(cli: CommandLine) -> None:
    assert "File name too long" in refused(cli, "a" * 300)
    assert "cannot be read" in refused(cli, "a\0b")


def test_a_file_is_binary(cli: CommandLine) -> None:
    Path("core").write_bytes(b"\x7fELF\0\0\0")
    assert refused(cli, "core") == "core holds zero bytes; expected Redcode, a text"
    Path("noise.red").write_bytes(bytes(range(1, 256)) * 10)
    assert refused(cli, "noise.red").startswith("noise.red: line 1, column 1: ")


def test_a_file_is_huge_or_empty(cli: CommandLine) -> None:
    Path("huge.red").write_bytes(b"nop 0\n" * 2_000_000)
    assert "at most 1,000,000" in refused(cli, "huge.red")
    Path("empty.red").write_text("")
    assert refused(cli, "empty.red").startswith("empty.red: there is no instruction")


def test_an_error_of_the_assembler_names_file_line_and_column(cli: CommandLine) -> None:
    Path("bad.red").write_text(";assert 1\nmov 0, 1\n  mvo 0, \x1b[31m1\n")
    said = cli("battle", "imp.red", "bad.red")
    assert said.code == 2
    assert said.err.startswith("speciate: bad.red: line 3, column ")
    assert "\x1b" not in said.err
    assert "mvo 0" in said.err.splitlines()[1]


def test_warnings_are_remarks(cli: CommandLine) -> None:
    Path("plain.red").write_text("mov 0, 1\n")
    said = cli("battle", "plain.red", "plain.red", "--settings", "nano", "--json")
    assert said.code == 0
    (remark,) = said.json["remarks"]
    assert remark.startswith("plain.red: no ;assert")
    assert said.err.splitlines()[0] == remark


def test_the_lenient_dialect_repairs_and_says_so(cli: CommandLine) -> None:
    Path("sloppy.red").write_text(";assert 1\nnop\njmp -1\n")
    assert "sloppy.red: line 2" in refused(cli, "sloppy.red")
    said = cli("battle", "sloppy.red", "--settings", "nano", "--dialect", "lenient")
    assert said.code == 0
    assert said.err.startswith("sloppy.red: line 2: ")


def test_the_older_standard_is_a_dialect(cli: CommandLine) -> None:
    Path("new.red").write_text(";assert 1\nmov.i 0, 1\n")
    assert "new.red: line 2" in refused(cli, "new.red", "--dialect", "icws88")


def test_a_warrior_is_not_made_for_the_core(cli: CommandLine) -> None:
    Path("large.red").write_text(";assert CORESIZE == 8000\nmov 0, 1\n")
    assert cli("battle", "large.red", "--rounds", 1).code == 0
    assert "large.red: line 1" in refused(cli, "large.red", "--settings", "nano")
    assert "large.red: line 1" in refused(cli, "large.red", "--set", "core_size=4000")


def test_a_folder_stands_for_all_warriors_below(cli: CommandLine) -> None:
    for name in ("hill", "hill/", "./hill"):
        told = cli("battle", name, "--settings", "tiny", "--json").json
        assert [row["file"] for row in told["warriors"]] == ["hill/a.red", "hill/b.red"]


def test_a_folder_is_empty(cli: CommandLine) -> None:
    Path("empty").mkdir()
    assert refused(cli, "empty") == "the folder empty holds no .red file"


def test_what_a_folder_cannot_offer_is_left_out_and_said(cli: CommandLine) -> None:
    Path("hill/bad.red").write_text("mov 0, nowhere\n")
    said = cli("battle", "hill", "--settings", "tiny", "--json")
    (left_out,) = said.json["left_out"]
    assert left_out["file"] == "hill/bad.red"
    assert said.err.startswith("hill/bad.red is left out: line 1")
    for name in ("a", "b"):
        Path(f"hill/{name}.red").unlink()
    assert refused(cli, "hill").startswith("none of these can fight under the rules; hill/bad.red: line 1")


def test_those_left_out_do_not_count_as_warriors(cli: CommandLine) -> None:
    Path("hill/c.red").write_text("for WARRIORS\nnop 0\nrof\n;assert 1\n")
    Path("hill/d.red").write_text(";assert WARRIORS < 4\nnop 0\n")
    told = cli("battle", "hill", "--settings", "tiny", "--json").json
    assert [each["file"] for each in told["left_out"]] == ["hill/d.red"]
    assert [row["length"] for row in told["warriors"]] == [1, 4, 3]


def test_built_in_warriors_have_names(cli: CommandLine) -> None:
    told = cli("battle", "builtin:imp", "builtin:heldout", "--settings", "nano", "--json").json
    files = [row["file"] for row in told["warriors"]]
    assert files[0] == "builtin:imp"
    assert len(files) + len(told["left_out"]) == 1 + 13
    assert "did you mean 'spiral7'" in refused(cli, "builtin:spiral")
    assert "speciate battle --list" in refused(cli, "builtin:")


def test_too_many_warriors(cli: CommandLine) -> None:
    assert refused(cli, *["imp.red"] * 65).startswith("at most 64 warriors can meet; got 65")
    assert "use fewer warriors" in refused(cli, *["imp.red"] * 64, "--settings", "nano")


def test_a_tournament_of_one(cli: CommandLine) -> None:
    assert "at least two warriors" in refused(cli, "imp.red", "--tournament")


def test_positions_that_overlap_or_do_not_fit(cli: CommandLine) -> None:
    assert "reaches into warrior 0" in refused(cli, "imp.red", "dwarf.red", "--positions", "0,-3")
    assert "3 positions for 2 warriors" in refused(cli, "imp.red", "dwarf.red", "--positions", "0,400,500")
    error = refused(cli, "imp.red", "dwarf.red", "--positions", "0,400", "--rounds", 3)
    assert error.startswith("3 rounds are asked for and positions given for 1")


def test_names_obey_no_terminal_and_keep_the_table_aligned(cli: CommandLine) -> None:
    Path("odd\x1b[31m.red").write_text(";name \x1b[2J核心\n;assert 1\nmov 0, 1\n")
    said = cli("battle", "imp.red", "odd\x1b[31m.red", "--settings", "nano")
    assert said.code == 0
    assert "\x1b" not in said.out
    assert r"odd\x1b[31m.red" in said.out
    assert "核心" in said.out


def test_a_name_that_is_not_utf8(cli: CommandLine) -> None:
    Path(os.fsdecode(b"\xff.red")).write_text(";assert 1\nmov 0, 1\n")
    told = cli("battle", os.fsdecode(b"\xff.red"), "--settings", "nano", "--json").json
    assert told["warriors"][0]["wins"] == 1


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no such device")
def test_a_pipe_is_read(cli: CommandLine, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, b";assert 1\nmov 0, 1\n")
    os.close(write)
    assert cli("battle", f"/dev/fd/{read}", "--settings", "nano").code == 0
    os.close(read)
