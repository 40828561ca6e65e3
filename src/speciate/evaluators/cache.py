"""Never score the same twice: within a run by ordinal, between runs by case on disk."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path

from speciate.errors import StoreError
from speciate.records import CaseResult, Ordinal, Patched, manifest_hash, text_hash


class OutcomeCache:
    """Which candidate first had a program in a context. Holds numbers; the outcomes are in the store.

    Note only outcomes that a second run would give again: one that hit the wall limit is none.

    Args:
        enabled: False for stochastic tasks: nothing is noted and nothing found.
        by_fingerprint: whether programs with equal fingerprints score equally: so it is where the task says
            what alone decides a score. Otherwise only equal texts do.
    """

    def __init__(self, *, enabled: bool = True, by_fingerprint: bool = False) -> None:
        self.enabled = enabled
        self.by_fingerprint = by_fingerprint
        self._first: dict[bytes, Ordinal] = {}

    def __len__(self) -> int:
        return len(self._first)

    def note(self, ordinal: Ordinal, patched: Patched, context_hash: str) -> None:
        """Remembers that `ordinal` was scored; the smallest ordinal of a pair counts, in whatever order."""
        if self.enabled:
            key = self._pair(patched, context_hash)
            self._first[key] = min(ordinal, self._first.get(key, ordinal))

    def find(self, patched: Patched, context_hash: str, *, before: Ordinal) -> Ordinal | None:
        """Returns the smallest noted ordinal of the pair if it is less than `before`, else None.

        With ``before=choice.seen`` the answer depends on the history the choice knew, not on timing.
        """
        ordinal = self._first.get(self._pair(patched, context_hash))
        return ordinal if ordinal is not None and ordinal < before else None

    def _pair(self, patched: Patched, context_hash: str) -> bytes:
        """Returns what a program, recorded as `patched`, and a context are found by."""
        text = manifest_hash(patched.program)
        program = patched.fingerprint or text if self.by_fingerprint else text
        # 16 bytes a key keep 100,000 candidates within some 15 MB.
        return blake2b(f"{program} {context_hash}".encode(), digest_size=16).digest()


class CaseCache:
    """Case results in a folder, found by content; several runs and processes may share it.

    An entry that is missing, damaged or of another shape is a miss. Writes are atomic (rename), and two
    writers of one key write the same.

    Args:
        folder: where the entries lie, created when needed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @staticmethod
    def key(program_hash: str, evaluator_hash: str, context_hash: str, case: str) -> str:
        """Returns the key of one case of one program (40 hexadecimal digits)."""
        return text_hash(json.dumps([program_hash, evaluator_hash, context_hash, case]))

    def load(self, keys: Iterable[str]) -> dict[str, CaseResult]:
        """Returns what is stored under the keys, by key; misses are absent. Blocks on the disk."""
        found = ((key, self._read(key)) for key in keys)
        return {key: result for key, result in found if result is not None}

    def save(self, found: Mapping[str, CaseResult]) -> None:
        """Stores results by key. Blocks on the disk.

        Raises:
            StoreError: the folder cannot be written.
        """
        try:
            for key, result in found.items():
                self._write(key, result)
        except OSError as error:
            raise StoreError(f"cannot write case results to {self._folder}: {error.strerror}") from error

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key[2:]}.json"

    def _read(self, key: str) -> CaseResult | None:
        try:
            return _from_json(self._path(key).read_text())
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _write(self, key: str, result: CaseResult) -> None:
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "w") as file:
                file.write(_to_json(result))
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _to_json(result: CaseResult) -> str:
    # Python's json writes NaN and infinities as bare words and reads them back: `aggregate` needs the floats.
    body = {
        "case": result.case,
        "values": dict(result.values),
        "valid": result.valid,
        "feedback": result.feedback,
        "seconds": result.seconds,
    }
    line = json.dumps(body)
    return f"{text_hash(line)}\n{line}\n"


def _from_json(stored: str) -> CaseResult | None:
    digest, _, rest = stored.partition("\n")
    line = rest.rstrip("\n")
    if digest != text_hash(line):
        return None
    body = json.loads(line)
    return CaseResult(
        case=body["case"],
        values=body["values"],
        valid=body["valid"],
        feedback=body["feedback"],
        seconds=body["seconds"],
    )
