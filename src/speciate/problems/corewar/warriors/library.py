"""Finds warriors: the built-in ones by their split, others in a folder of .red files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

from speciate.errors import UsageError, nearest
from speciate.problems.corewar.redcode import Dialect, RedcodeError, assemble
from speciate.problems.corewar.settings import Settings
from speciate.problems.corewar.warrior import Warrior

Split = Literal["initial", "training", "heldout"]
"""What a built-in warrior is for: opponent of the first round, opponent in training, or only for the test of
generality. The split is fixed, so that numbers of different runs can be compared."""

Family = Literal[
    "imp", "ring", "spiral", "gate", "bomber", "clear", "scanner",
    "vampire", "replicator", "hybrid", "quickscan", "switcher", "decoy", "mutant",
]  # fmt: skip
"""How a built-in warrior fights; docs/problems/warriors.md describes each."""

LARGEST_FILE: Final = 1_000_000
"""Most bytes of a warrior's file. The longest warriors of public hills have some tens of thousands."""

_FOLDER: Final = Path(__file__).parent
_MARK: Final = "family:"


@dataclass(frozen=True, slots=True)
class WarriorFile:
    """A source and where it came from.

    Attributes:
        path: its path below the folder it was loaded from, with ``/``, for example ``training/silk.red``.
        source: its text.
    """

    path: str
    source: str

    @property
    def family(self) -> str | None:
        """What its line ``;strategy family: …`` says, or None without such a line."""
        for line in self.source.splitlines():
            words = line.split(maxsplit=2)
            if [word.lower() for word in words[:2]] == [";strategy", _MARK] and len(words) == 3:
                return words[2].strip()
        return None

    def assemble(self, settings: Settings, *, dialect: Dialect = "strict") -> Warrior:
        """Returns the warrior for these rules.

        Raises:
            RedcodeError: it cannot be assembled, or is not made for them (its ``;assert`` fails).
        """
        return assemble(self.source, settings, dialect=dialect)


@dataclass(frozen=True, slots=True)
class Refused:
    """A file or folder that gave no warrior, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a folder holds, each part sorted by path. Every warrior assembles for the rules asked for."""

    warriors: tuple[WarriorFile, ...]
    refused: tuple[Refused, ...]


def load_builtin(split: Split | None = None) -> tuple[WarriorFile, ...]:
    """Returns the built-in warriors of one split, or with None of all, sorted by split and name.

    Not every one is made for every core; `fitting` keeps those that are.

    Raises:
        UsageError: there is no such split.
    """
    splits: tuple[Split, ...] = get_args(Split)
    if split is None:
        return tuple(warrior for each in splits for warrior in _builtin(each))
    if split not in splits:
        raise UsageError(f"there is no split {split!r} of the built-in warriors{nearest(split, splits)}")
    return _builtin(split)


@cache
def _builtin(split: Split) -> tuple[WarriorFile, ...]:
    files = sorted((_FOLDER / split).glob("*.red"))
    return tuple(WarriorFile(f"{split}/{file.name}", file.read_text("utf-8")) for file in files)


def fitting(files: Iterable[WarriorFile], settings: Settings) -> tuple[WarriorFile, ...]:
    """Returns those that can be assembled for these rules, in their order."""

    def fits(file: WarriorFile) -> bool:
        try:
            file.assemble(settings)
        except RedcodeError:
            return False
        return True

    return tuple(file for file in files if fits(file))


def load_folder(
    folder: Path | str, settings: Settings | None = None, *, dialect: Dialect = "strict"
) -> Loaded:
    """Returns the warriors of every .red file below a folder, for example of a hill, and what was refused.

    Files of other names are passed over. Links to folders are not followed, so that loops do no harm.

    Args:
        folder: where to look, however deep.
        settings: rules to assemble for; None takes the standard core of 8000 cells.
        dialect: ``lenient`` also takes what people write and pMARS refuses.

    Raises:
        UsageError: there is no such folder.
    """
    root, rules = Path(folder), settings or Settings()
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder; expected one with .red files")
    warriors: list[WarriorFile] = []
    refused: list[Refused] = []
    for path in sorted(_red_files(root, refused)):
        name = _shown(path.relative_to(root))
        try:
            file = WarriorFile(name, _read(path))
            file.assemble(rules, dialect=dialect)
            warriors.append(file)
        except OSError as error:
            refused.append(Refused(name, error.strerror or "cannot be read"))
        except RedcodeError as error:
            refused.append(Refused(name, str(error)))
    return Loaded(tuple(warriors), tuple(sorted(refused, key=lambda each: each.path)))


def _red_files(root: Path, refused: list[Refused]) -> Iterator[Path]:
    """Finds the files by name; a folder that cannot be opened is noted in `refused`."""

    def note(error: OSError) -> None:
        where = Path(os.fsdecode(error.filename)) if error.filename else root
        refused.append(Refused(_shown(where.relative_to(root)), error.strerror or "cannot be opened"))

    for here, _, names in os.walk(root, onerror=note):
        yield from (Path(here, name) for name in names if name.lower().endswith(".red"))


def _shown(path: Path) -> str:
    """Returns a path that can be printed and stored, whatever bytes the file system holds."""
    return path.as_posix().encode("utf-8", "backslashreplace").decode("utf-8")


def _read(path: Path) -> str:
    """Returns the text of a file. Old hills are in Latin-1, where any byte is a letter.

    Raises:
        OSError: it cannot be opened.
        RedcodeError: it cannot be a source, whatever it holds.
    """
    if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe would never end
        raise RedcodeError("not a regular file")
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise RedcodeError(f"larger than {LARGEST_FILE:,} bytes", expected="the source of one warrior")
    if b"\0" in data:
        raise RedcodeError("holds zero bytes", expected="text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
