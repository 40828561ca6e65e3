"""Files that are there whole or not at all."""

from __future__ import annotations

from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Writes a text file; whoever reads it meanwhile sees the old one or the new one, never half.

    One writer at a time: two of them would share the unfinished file.

    Raises:
        OSError: it cannot be written.
    """
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
