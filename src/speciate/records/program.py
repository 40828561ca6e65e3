"""A program: one or several source files, identified by their content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from speciate.records.types import TextHash


def text_hash(text: str) -> TextHash:
    """Returns the content hash of a text (BLAKE2b, 160 bits, 40 hexadecimal digits)."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def manifest_hash(manifest: Iterable[tuple[str, TextHash]]) -> str:
    """Returns the hash of the program with these (file name, content hash) pairs, without its texts."""
    return text_hash("\n".join(f"{digest} {name}" for name, digest in manifest))


@dataclass(frozen=True)
class Program:
    """Source files by name, in the task's order; the first is the entry file.

    Attributes:
        files: pairs of (file name relative to the task folder, text). At least one.
    """

    files: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, files: Mapping[str, str]) -> Program:
        """Builds a program from a mapping of file name to text."""
        return cls(tuple(files.items()))

    @property
    def entry(self) -> str:
        """Name of the entry file."""
        return self.files[0][0]

    @property
    def source(self) -> str:
        """Text of the entry file."""
        return self.files[0][1]

    def text(self, name: str) -> str:
        """Returns the text of the file `name`; raises KeyError if the program has no such file."""
        return dict(self.files)[name]

    def replace(self, name: str, text: str) -> Program:
        """Returns a copy in which file `name` has the given text; raises KeyError if there is none."""
        if name not in dict(self.files):
            raise KeyError(name)
        return Program(tuple((n, text if n == name else t) for n, t in self.files))

    @cached_property
    def manifest(self) -> tuple[tuple[str, TextHash], ...]:
        """Pairs of (file name, content hash), in file order."""
        return tuple((name, text_hash(text)) for name, text in self.files)

    @cached_property
    def hash(self) -> str:
        """Identity of the program: hash over names and contents; equal programs have equal hashes."""
        return manifest_hash(self.manifest)
