"""Every error speciate raises.

    SpeciateError
    ├── UsageError (ValueError)            the user can mend it: one sentence, exit code 2
    │   ├── ConfigError                    a setting is unknown, ill-typed or contradicts another
    │   │   └── MissingKeyError            a model's key is nowhere to be found
    │   ├── TaskError                      a task folder or object cannot be understood
    │   ├── RunFolderError                 a run folder is missing, taken, unwritable or not a run
    │   └── MissingExtraError (ImportError)  an optional package is needed and absent
    ├── StoreError (OSError)               the history cannot be read or written
    │   └── StoreCorruptError              what is stored contradicts itself
    ├── SandboxError (RuntimeError)        the sandbox itself broke (a candidate that fails is a value)
    │   └── SandboxMissingError            bubblewrap is not here or may not be used
    ├── ScoreError (RuntimeError)          a task's own score code failed; the candidate is not to blame
    ├── ModelError (RuntimeError)          a model could not answer
    │   ├── ModelUnavailableError          worth another try: rate limit, time-out, server error
    │   ├── ModelRefusedError              not worth another try: bad key, unknown model, bad request
    │   └── CassetteMissError (LookupError)  a recording has no such request
    └── BudgetExceededError (RuntimeError)   a reservation would pass a cap

A candidate that fails to parse, run or please is never an exception: it is a `Rejected` or an
`Outcome` with a `Failure`. An exception means that the set-up is broken, and it ends the run.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SpeciateError(Exception):
    """Root of every error that speciate raises on purpose."""


class UsageError(SpeciateError, ValueError):
    """Something the user asked for cannot be done as asked; the message says what to do."""


class ConfigError(UsageError):
    """A setting is unknown, has the wrong type or contradicts another."""


class MissingKeyError(ConfigError):
    """A model needs a key; the message names the variables that could hold it."""


class TaskError(UsageError):
    """A task cannot be understood: missing folder, bad task.toml, no markers, invalid seed program."""


class RunFolderError(UsageError):
    """A run folder is missing, in use, not writable, or does not hold a run."""


class MissingExtraError(UsageError, ImportError):
    """An optional package is needed; the message names the extra to install."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an optional package: pip install 'speciate[{extra}]'")
        self.extra = extra


class StoreError(SpeciateError, OSError):
    """The history cannot be read or written (disk full, no permission, locked)."""


class StoreCorruptError(StoreError):
    """What is stored is damaged or contradicts itself."""


class SandboxError(SpeciateError, RuntimeError):
    """The sandbox itself broke. What a candidate does to itself is an outcome, never this."""


class SandboxMissingError(SandboxError, UsageError):
    """No usable sandbox on this host; the message names the package and the flag."""


class ScoreError(SpeciateError, RuntimeError):
    """A task's own score code raised, hung or answered nonsense."""


class ModelError(SpeciateError, RuntimeError):
    """A model could not answer."""


class ModelUnavailableError(ModelError):
    """The provider may answer later: rate limit, time-out, cut connection, server error.

    Attributes:
        retry_after: seconds the provider asked us to wait, or None when it did not say.
        may_bill: whether the provider may charge for the try all the same (it answered, and that was lost).
    """

    def __init__(self, message: str, *, retry_after: float | None = None, may_bill: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.may_bill = may_bill


class ModelRefusedError(ModelError):
    """The provider will not answer however often we ask: bad key, unknown model, bad request."""


class CassetteMissError(ModelError, LookupError):
    """A replay was asked for a request that was never recorded."""


class BudgetExceededError(SpeciateError, RuntimeError):
    """A reservation would pass a cap. Nothing was spent.

    Attributes:
        cap: which cap: ``"cost"``, ``"tokens"`` or ``"calls"``.
        needed: the least cap under which the reservation would have fit, or None if no number would help.
    """

    def __init__(self, message: str, *, cap: str = "cost", needed: float | None = None) -> None:
        super().__init__(message)
        self.cap = cap
        self.needed = needed


def nearest(name: str, known: Iterable[str]) -> str:
    """Returns ``; did you mean 'x'?`` for the known name closest to `name`, or an empty string."""
    match = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {match[0]!r}?" if match else ""
