from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from speciate.errors import UsageError
from speciate.problems.corewar.settings import PRESETS, Settings
from speciate.problems.corewar.warriors import (
    Family,
    Refused,
    WarriorFile,
    fitting,
    load_builtin,
    load_folder,
)
from speciate.problems.corewar.warriors.library import LARGEST_FILE

IMP = ";name Imp\n;assert 1\nmov.i $0, $1\n"


def red(folder: Path, name: str, content: str | bytes = IMP) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_the_splits_are_disjoint_and_large_enough() -> None:
    initial, training, heldout = (load_builtin(split) for split in ("initial", "training", "heldout"))
    assert len(initial) >= 3
    assert len(training) >= 15
    assert len(heldout) >= 12
    assert load_builtin() == initial + training + heldout
    codes = {warrior.assemble(PRESETS["drq"]).code for warrior in load_builtin()}
    assert len(codes) == len(load_builtin()) >= 30
    assert "initial/imp.red" in {warrior.path for warrior in initial}


def test_every_family_is_there_and_the_held_out_ones_are_balanced() -> None:
    assert {warrior.family for warrior in load_builtin()} == set(get_args(Family))
    assert max(Counter(warrior.family for warrior in load_builtin("heldout")).values()) == 1


@pytest.mark.parametrize("file", load_builtin(), ids=lambda file: file.path)
def test_each_says_who_it_is_and_how_it_works(file: WarriorFile) -> None:
    warrior = file.assemble(PRESETS["drq"])
    assert warrior.name
    assert warrior.author == "speciate"
    assert len(warrior.strategy) >= 2
    assert "CORESIZE" in file.source.partition(";assert")[2].splitlines()[0]
    assert not warrior.notes


@pytest.mark.parametrize(("preset", "least"), [("drq", 36), ("94nop", 36), ("tiny", 8), ("nano", 6)])
def test_enough_of_them_fit_each_core(preset: str, least: int) -> None:
    assert len(fitting(load_builtin(), PRESETS[preset])) >= least


def test_one_that_is_not_made_for_a_core_is_left_out() -> None:
    fitted = fitting(load_builtin(), PRESETS["tiny"])
    assert "training/quickscan_paper.red" not in {warrior.path for warrior in fitted}


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'heldout'"):
        load_builtin("held-out")  # type: ignore[arg-type]  # what a user may type


def test_a_folder_is_read_deeply_and_in_order(tmp_path: Path) -> None:
    for name in ("b.red", "a/z.red", "c.RED", "a/b/c.red", "notes.txt"):
        red(tmp_path, name)
    loaded = load_folder(tmp_path)
    assert [warrior.path for warrior in loaded.warriors] == ["a/b/c.red", "a/z.red", "b.red", "c.RED"]
    assert loaded.refused == ()


def test_the_built_in_warriors_can_be_loaded_as_a_folder() -> None:
    folder = Path(load_builtin.__code__.co_filename).parent
    loaded = load_folder(folder, PRESETS["drq"])
    assert {warrior.source for warrior in loaded.warriors} == {warrior.source for warrior in load_builtin()}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("mov.i $0, $1\nmoo 1, 2\n", "line 2"),
        ("", "instruction"),
        (";assert CORESIZE == 80\nmov.i $0, $1\n", "assert"),
        (b"mov.i $0, $1\n\0\0", "zero bytes"),
        (b";" * (LARGEST_FILE + 1), "larger than"),
        (b"\xff\xfe\x80 \x81\n", "line 1"),
    ],
    ids=["unknown", "empty", "assert", "binary", "huge", "bytes"],
)
def test_a_bad_file_is_refused_with_its_reason(tmp_path: Path, content: str | bytes, reason: str) -> None:
    red(tmp_path, "bad.red", content)
    red(tmp_path, "good.red")
    loaded = load_folder(tmp_path)
    assert [warrior.path for warrior in loaded.warriors] == ["good.red"]
    (refused,) = loaded.refused
    assert refused.path == "bad.red"
    assert reason in refused.reason


def test_old_files_in_latin_1_are_read(tmp_path: Path) -> None:
    red(tmp_path, "old.red", ";author Jos\xe9\n;assert 1\nmov.i $0, $1\n".encode("latin-1"))
    assert load_folder(tmp_path).warriors[0].assemble(Settings()).author == "Jos\xe9"


def test_the_lenient_dialect_takes_more(tmp_path: Path) -> None:
    red(tmp_path, "model.red", "nop\nmov.i $0, $1\n")
    assert load_folder(tmp_path).warriors == ()
    assert len(load_folder(tmp_path, dialect="lenient").warriors) == 1


def test_warriors_for_another_core_are_refused(tmp_path: Path) -> None:
    red(tmp_path, "long.red", ";assert 1\n" + "dat.f #0, #0\n" * 6)
    assert len(load_folder(tmp_path, PRESETS["tiny"]).warriors) == 1
    assert load_folder(tmp_path, PRESETS["nano"]).warriors == ()


def test_links_pipes_and_folders_by_that_name_do_no_harm(tmp_path: Path) -> None:
    red(tmp_path, "deep.red/real.red")
    (tmp_path / "deep.red" / "up").symlink_to(tmp_path)
    (tmp_path / "self.red").symlink_to(tmp_path / "self.red")
    (tmp_path / "gone.red").symlink_to(tmp_path / "nowhere")
    (tmp_path / "link.red").symlink_to(tmp_path / "deep.red" / "real.red")
    os.mkfifo(tmp_path / "pipe.red")
    loaded = load_folder(tmp_path)
    assert [warrior.path for warrior in loaded.warriors] == ["deep.red/real.red", "link.red"]
    assert [refused.path for refused in loaded.refused] == ["gone.red", "pipe.red", "self.red"]
    assert Refused("pipe.red", "not a regular file") in loaded.refused


def test_a_name_that_is_not_utf_8_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.red")).write_text(IMP)
    (warrior,) = load_folder(tmp_path).warriors
    assert warrior.path.encode() == b"caf\\udce9.red"


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a folder"):
        load_folder(tmp_path / "nowhere")


def test_a_warrior_without_a_family_has_none() -> None:
    assert WarriorFile("x.red", IMP).family is None
    assert WarriorFile("x.red", ";Strategy Family: imp \n" + IMP).family == "imp"
