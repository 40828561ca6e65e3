"""From the names on the command line to warriors that can fight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from speciate.errors import UsageError
from speciate.problems.corewar.command.built_in import PREFIX, built_in_names, find_built_in, short_name
from speciate.problems.corewar.command.request import Request
from speciate.problems.corewar.command.telling import shown
from speciate.problems.corewar.redcode import RedcodeError, assemble
from speciate.problems.corewar.verdicts import printable
from speciate.problems.corewar.warrior import Warrior
from speciate.problems.corewar.warriors import load_folder
from speciate.problems.corewar.warriors.library import LARGEST_FILE


@dataclass(frozen=True, slots=True)
class Source:
    """A text that shall become a warrior.

    Attributes:
        file: where it came from, as the user would name it.
        text: the text, or what a file held.
        named: whether the user named this very warrior, and not a folder or split that it is in.
    """

    file: str
    text: str | bytes
    named: bool


@dataclass(frozen=True, slots=True)
class Entrant:
    """A warrior that fights.

    Attributes:
        name: what it calls itself, or its file's name; fit for a terminal.
        file: where it came from.
        warrior: the warrior.
    """

    name: str
    file: str
    warrior: Warrior


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A member of a folder or split that does not fight, and why."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class Company:
    """All that was found. `entrants` are in the order of their names on the command line."""

    entrants: tuple[Entrant, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def warriors(self) -> list[Warrior]:
        """The warriors."""
        return [entrant.warrior for entrant in self.entrants]

    @property
    def remarks(self) -> list[str]:
        """What the user should know, one sentence each."""
        missed = [f"{each.file} is left out: {each.reason}" for each in self.left_out]
        notes = [f"{each.file}: {note}" for each in self.entrants for note in each.warrior.notes]
        return list(dict.fromkeys([*missed, *notes]))


def find_company(request: Request) -> Company:
    """Returns the warriors that the request names.

    Members of a folder or split that cannot be assembled for the rules are left out. The predefined name
    ``WARRIORS`` stands for how many meet in one core.

    Raises:
        UsageError: nobody is named or left; a name means nothing; a named warrior cannot be assembled.
    """
    if not request.names:
        raise UsageError(f"name the warriors: files, folders, or {PREFIX}NAME (speciate battle --list)")
    left_out: list[LeftOut] = []
    sources = [source for name in request.names for source in _sources(name, request, left_out)]
    while True:
        meet = min(2, len(sources)) if request.in_pairs else len(sources)
        missed: list[LeftOut] = []
        entrants = [each for source in sources for each in _assembled(source, request, meet, missed)]
        left_out += missed
        if not missed:
            break
        gone = {each.file for each in missed}
        sources = [source for source in sources if source.named or source.file not in gone]
    if not entrants:
        raise UsageError(f"none of these can fight under the rules; {left_out[0].file}: {left_out[0].reason}")
    return Company(tuple(entrants), tuple(left_out))


def _sources(name: str, request: Request, left_out: list[LeftOut]) -> Iterator[Source]:
    """Yields what a name means."""
    if name.startswith(PREFIX):
        found = find_built_in(name.removeprefix(PREFIX))
        for file in found:
            yield Source(PREFIX + short_name(file), file.source, named=PREFIX + short_name(file) == name)
    elif _is_folder(name):
        loaded = load_folder(name, request.fought_rules, dialect=request.dialect)
        if not loaded.warriors and not loaded.refused:
            raise UsageError(f"the folder {name} holds no .red file")
        root = Path(name)
        left_out += [LeftOut(str(root / each.path), _sentence(each.reason)) for each in loaded.refused]
        yield from (Source(str(root / file.path), file.source, named=False) for file in loaded.warriors)
    else:
        yield Source(name, _read(name), named=True)


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):  # too long a name, zero bytes: reading it says so
        return False


def _read(name: str) -> bytes:
    """Returns what a file holds, up to what the assembler reads. Pipes are read too.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        known = f"; did you mean {PREFIX}{name}?" if name in built_in_names() else ""
        raise UsageError(f"there is no file {name}{known}") from None
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{name[:80]} cannot be read: {said}") from error
    if b"\0" in data:
        raise UsageError(f"{name} holds zero bytes; expected Redcode, a text")
    return data


def _assembled(source: Source, request: Request, meet: int, missed: list[LeftOut]) -> Iterator[Entrant]:
    """Yields the warrior, or nothing and notes why.

    Raises:
        UsageError: it cannot be assembled and was named.
    """
    try:
        warrior = assemble(
            source.text, request.fought_rules, dialect=request.dialect, constants={"WARRIORS": meet}
        )
    except RedcodeError as error:
        if not source.named:
            missed.append(LeftOut(source.file, _sentence(str(error))))
            return
        raise _worded(source, error) from error
    name = printable(warrior.name) or printable(PurePosixPath(source.file.rpartition(":")[2]).stem)
    yield Entrant(name, source.file, warrior)


def _worded(source: Source, error: RedcodeError) -> UsageError:
    """Returns what to say of a warrior that cannot be assembled; the line itself stands below."""
    worded = UsageError(f"{source.file}: {_sentence(str(error))}")
    if error.text:
        worded.add_note(f"    {shown(error.text)}")
    return worded


def _sentence(message: str) -> str:
    """Returns an assembler's message without the line that it quotes."""
    return message.partition("\n")[0]
