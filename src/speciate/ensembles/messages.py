"""What nodes send each other: an announcement of every champion, and its program for those who want it.

Both are JSON, bounded in size, and never trusted: what does not fit is refused with a reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from speciate.records import Cell, MessageId, Program, Score, Seconds, TextHash
from speciate.tasks import explain

VERSION = 1
MOST_ANNOUNCED = 64 * 1024
"""Bytes of an announcement at most."""
MOST_SENT = 1024 * 1024
"""Bytes of a program on its way at most."""
LONGEST_REASON = 200
"""Characters of the sentence that says why a message is refused."""
MOST_CELLS = 4096
"""Cells that an announcement names at most: of larger archives it names none."""

Reason = Literal["malformed", "version", "too_large"]


class MessageError(ValueError):
    """A message that cannot be read.

    Attributes:
        reason: what is wrong with it, in a word.
    """

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Announcement(BaseModel):
    """That a node has ended a round, and with which champion.

    Attributes:
        version: of this format.
        ensemble: the ensemble's name.
        task: identity of task and scoring: nodes of other tasks are not listened to.
        node: who sends it.
        incarnation: see `MessageId`.
        round: the sender's round, from 0.
        proposer: who proposed the champion.
        fitness: its first objective there, higher is better; None without a champion.
        cell: where it lives in the sender's archive, or None.
        cells: the filled cells of the sender's archive, sorted; empty for archives without cells.
        map: a digest of the sender's axes and cells: a node compares cells only where it is that of its own.
            Empty for archives without cells, and in messages of before there were such digests.
        files: pairs of (file name, content hash) of the champion; empty without one.
        size: bytes of the body; 0 without a champion.
        at: when it was sent: virtual time, or Unix time on the wall clock. For people; nothing relies on it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = VERSION
    ensemble: str = Field(max_length=64)
    task: str = Field(max_length=200)
    node: str = Field(pattern=r"^[A-Za-z0-9._-]{1,64}$")
    incarnation: str = Field(pattern=r"^[A-Za-z0-9-]{1,64}$")
    round: int = Field(ge=0)
    proposer: str = Field(default="", max_length=500)
    fitness: Score | None = Field(default=None, allow_inf_nan=False)
    cell: Cell | None = None
    cells: tuple[Cell, ...] = Field(default=(), max_length=MOST_CELLS)
    map: str = Field(default="", max_length=64)
    files: tuple[tuple[str, TextHash], ...] = Field(default=(), max_length=100)
    size: int = Field(default=0, ge=0, le=MOST_SENT)
    at: Seconds = Field(default=0.0, allow_inf_nan=False)

    def cells_on(self, own: str) -> tuple[Cell, ...] | None:
        """Returns the filled cells of the sender's archive as a node sees them whose map is `own`.

        None says that they are unknown: the maps differ, or they are too many to be named.
        """
        named = bool(self.cells) or self.cell is None
        return self.cells if own and self.map == own and named else None

    def cell_on(self, own: str) -> Cell | None:
        """Returns the champion's cell as a node sees it whose map is `own`; None if that cannot be said."""
        return self.cell if own and self.map == own else None

    @property
    def id(self) -> MessageId:
        """The message's name."""
        return MessageId(self.node, self.incarnation, self.round)


@dataclass(frozen=True, slots=True)
class Parcel:
    """A champion ready to be sent.

    Attributes:
        announcement: what is told to everybody.
        head: the announcement as bytes.
        body: the program as bytes; empty without a champion.
    """

    announcement: Announcement
    head: bytes
    body: bytes


def pack(announcement: Announcement, program: Program | None) -> Parcel:
    """Returns a champion as it is sent. A program above `MOST_SENT` is not sent: nobody would take it."""
    body = b"" if program is None else encode(program)
    if program is None or len(body) > MOST_SENT:
        announcement = announcement.model_copy(update={"files": (), "size": 0, "cell": None})
        body = b""
    else:
        announcement = announcement.model_copy(update={"files": program.manifest, "size": len(body)})
    if len(announcement.cells) > MOST_CELLS:
        # With a champion's cell and no others it is plain that there are more than are named.
        map_ = "" if announcement.cell is None else announcement.map
        announcement = announcement.model_copy(update={"cells": (), "map": map_})
    return Parcel(announcement, announcement.model_dump_json(exclude_defaults=True).encode(), body)


def encode(program: Program) -> bytes:
    """Returns a program as it is sent."""
    return json.dumps(dict(program.files), sort_keys=True).encode()


def read_announcement(data: bytes) -> Announcement:
    """Reads an announcement.

    Raises:
        MessageError: it is too large, of another version, or not what `pack` writes.
    """
    if len(data) > MOST_ANNOUNCED:
        raise MessageError("too_large", f"an announcement of {len(data)} bytes, more than {MOST_ANNOUNCED}")
    try:
        raw = json.loads(data)
        version = raw.get("version", VERSION) if isinstance(raw, dict) else None
        if isinstance(version, int) and version != VERSION:
            raise MessageError("version", f"version {version} where {VERSION} is understood")
        return Announcement.model_validate_json(data)
    except (ValidationError, ValueError, RecursionError) as error:
        if isinstance(error, MessageError):
            raise
        raise MessageError("malformed", _said(error, "no announcement")) from error


_FILES: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])


def read_body(data: bytes, announcement: Announcement) -> Program:
    """Reads the program that was announced.

    Raises:
        MessageError: it is too large, no program, or another one than was announced.
    """
    if len(data) > MOST_SENT:
        raise MessageError("too_large", f"a program of {len(data)} bytes, more than {MOST_SENT}")
    try:
        files: Mapping[str, str] = _FILES.validate_json(data)
        program = Program(tuple((name, files[name]) for name, _ in announcement.files))
        same = program.manifest == announcement.files and len(files) == len(announcement.files)
    except (ValidationError, ValueError, KeyError, RecursionError) as error:
        raise MessageError("malformed", _said(error, "no program")) from error
    if not same:
        raise MessageError("malformed", "another program than the one announced")
    return program


def _said(error: Exception, what: str) -> str:
    """Returns in one line of bounded length what is wrong with a message."""
    if isinstance(error, ValidationError):
        text = explain(error, Announcement, what)
    else:
        text = f"{what}: {error or type(error).__name__}"
    # What a stranger sent may be repeated in it (a key's name), and is shown on terminals.
    line = "".join(filter(str.isprintable, " ".join(text.split())))
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 1]}…"
