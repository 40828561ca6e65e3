"""What changed between two programs."""

from __future__ import annotations

import difflib

from speciate.records import Program


def difference(old: Program, new: Program) -> str:
    """Returns a unified diff over all files; empty when nothing changed."""
    before = dict(old.files)
    lines: list[str] = []
    for name, text in new.files:
        lines += difflib.unified_diff(
            before.get(name, "").splitlines(), text.splitlines(), f"a/{name}", f"b/{name}", lineterm=""
        )
    return "\n".join(lines)
