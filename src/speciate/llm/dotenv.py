"""Files of ``NAME=value`` lines.

Written here, since the one thing needed of such files is a lookup: no value is put into this process's
environment, where programs that it starts would find it, and nothing in a value is expanded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from speciate.errors import ConfigError

_LARGEST = 2**20
_NAME = r"(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
_LINE = re.compile(
    rf"""\s*{_NAME}\s*=\s*(?:
        '(?P<single>[^']*)'\s*(?:\#.*)?        # 'taken as it is'
      | "(?P<double>(?:[^"\\]|\\.)*)"\s*(?:\#.*)?  # "with \" and \\ and \n"
      | (?P<bare>(?:[^\s'"\#](?:[^\n]*?))?)(?:\s+\#.*|\s*)  # up to a comment
    )""",
    re.VERBOSE,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def read_dotenv(path: Path) -> Mapping[str, str]:
    """Returns the variables of a file, or none when there is no such file.

    Blank lines and lines that begin with ``#`` say nothing, and the last line of a name counts. A bare value
    ends before a ``#`` that follows a blank.

    Raises:
        ConfigError: the file cannot be read, or a line is not understood; the message names the line by its
            number and shows nothing of it.
    """
    try:
        facts = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    if facts.st_size > _LARGEST:
        raise ConfigError(f"{path} has {facts.st_size} bytes: that is no file of variables")
    return _read(path.absolute(), facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int, _size: int) -> Mapping[str, str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text") from None
    values: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(line.rstrip("\r"))
        if found is None:
            raise ConfigError(f"{path}, line {number}: expected NAME=value")
        values[found["name"]] = _value(found)
    return values


def _value(found: re.Match[str]) -> str:
    if found["double"] is not None:
        return re.sub(r"\\(.)", lambda each: _ESCAPES.get(each[1], each[1]), found["double"])
    return found["single"] if found["single"] is not None else found["bare"] or ""
