"""The rules of a battle: how large the core is, how long it lasts, what a warrior may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from speciate.errors import ConfigError, nearest

LARGEST_CORE: Final = 1 << 16
MOST_ROUNDS: Final = 1_000_000
"""Most rounds of one battle: its positions and counts are in memory all at once."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Rules of a battle. Presets are in `PRESETS`.

    Attributes:
        core_size: cells of the core, 1 to 65,536.
        cycles: cycles until a battle is a tie; in one cycle every living warrior executes one instruction.
        processes: most processes a warrior may have at once.
        max_length: most instructions of a warrior.
        min_distance: least distance between the first instructions of two warriors.
        pspace_size: cells of each warrior's P-space; None takes pMARS's default, the largest of
            core_size/16, /15, /14 … that divides without rest. Any size up to the core's is possible.
        read_limit: how far an instruction can read; None is the whole core. It must divide the core size.
        write_limit: how far an instruction can write; None is the whole core. It must divide the core size.
        rounds: how many rounds a battle has where nobody says otherwise; assembler constant ``ROUNDS``.

    Raises:
        ConfigError: a value makes no sense.
    """

    core_size: int = 8000
    cycles: int = 80_000
    processes: int = 8000
    max_length: int = 100
    min_distance: int = 100
    pspace_size: int | None = None
    read_limit: int | None = None
    write_limit: int | None = None
    rounds: int = 1

    def __post_init__(self) -> None:
        within = (
            ("core_size", self.core_size, 1, LARGEST_CORE),
            ("cycles", self.cycles, 1, 1 << 31),
            ("processes", self.processes, 1, LARGEST_CORE),
            ("max_length", self.max_length, 1, self.core_size),
            ("min_distance", self.min_distance, 1, self.core_size),
            ("rounds", self.rounds, 1, MOST_ROUNDS),
        )
        for name, value, least, most in within:
            if not _whole(value, least, most):
                raise ConfigError(f"{name} is {value!r}; expected a whole number from {least} to {most}")
        if self.pspace_size is not None and not _whole(self.pspace_size, 1, self.core_size):
            raise ConfigError(
                f"pspace_size is {self.pspace_size!r}; expected 1 to {self.core_size}, the core size"
            )
        divisors = (("read_limit", self.read_limit), ("write_limit", self.write_limit))
        for name, divisor in divisors:
            if divisor is not None and (not _whole(divisor, 1, self.core_size) or self.core_size % divisor):
                raise ConfigError(f"{name} is {divisor!r}; it must divide the core size {self.core_size}")

    @property
    def pspace(self) -> int:
        """Cells of a P-space, the default worked out."""
        if self.pspace_size is not None:
            return self.pspace_size
        return next(self.core_size // part for part in range(16, 0, -1) if self.core_size % part == 0)

    def but(self, **changes: int | None) -> Settings:
        """Returns the same rules with some of them changed.

        Raises:
            ConfigError: a value makes no sense, or there is no such rule.
        """
        for name in changes:
            if name not in Settings.__dataclass_fields__:
                raise ConfigError(f"there is no rule {name!r}{nearest(name, Settings.__dataclass_fields__)}")
        return replace(self, **changes)  # type: ignore[arg-type]  # checked by __post_init__


def _whole(value: object, least: int, most: int) -> bool:
    """Whether a value that came from outside is a whole number in this range."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


PRESETS: Final[Mapping[str, Settings]] = {
    "drq": Settings(rounds=20),
    "94nop": Settings(),
    "nano": Settings(core_size=80, cycles=800, processes=80, max_length=5, min_distance=5),
    "tiny": Settings(core_size=800, cycles=8000, processes=800, max_length=20, min_distance=20),
}
"""Rules by name: Digital Red Queen's (Kumar 2026, https://arxiv.org/abs/2601.03335), those of the ICWS'94
hill without P-space, of the nano hill, and of the tiny hill."""
