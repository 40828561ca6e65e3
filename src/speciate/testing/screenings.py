"""Screenings and programs for tests of what screens them."""

from __future__ import annotations

from functools import partial

from speciate.novelty import NoveltyMemory, Screening, Surroundings, fingerprint
from speciate.records import ModelGateway, Ordinal, Program, TextHash
from speciate.seeds import stream
from speciate.tasks import ObjectiveSpec, ProgramSpec, TaskSpec
from speciate.testing.gateways import ScriptedGateway

FILE = "initial.py"


def whole_task(language: str = "python") -> TaskSpec:
    """Returns a task all of whose program may change."""
    return TaskSpec(
        name="screened",
        description="Do something new.",
        language=language,
        objectives=(ObjectiveSpec(name="score"),),
        program=ProgramSpec(mutable="whole"),
    )


def program(source: str) -> Program:
    """Returns a program of one file."""
    return Program.of({FILE: source})


def screening(
    source: str,
    *,
    ordinal: Ordinal = 100,
    before: Ordinal = 100,
    parent: str | None = None,
    origin: Ordinal | None = None,
    attempt: int = 0,
    island: int = 0,
    by_model: bool = True,
) -> Screening:
    """Returns a program on its way to evaluation."""
    return Screening(
        program(source),
        ordinal=ordinal,
        island=island,
        before=before,
        random=partial(stream, 1, ordinal, attempt=attempt),
        attempt=attempt,
        parent=None if parent is None else program(parent),
        origin=origin,
        by_model=by_model,
    )


class Past:
    """Programs that were proposed before, by ordinal, all on one island.

    Args:
        sources: their texts.
        gateway: asks models; by default nobody answers.
        island: where they live.
    """

    def __init__(
        self, sources: dict[Ordinal, str], gateway: ModelGateway | None = None, *, island: int = 0
    ) -> None:
        self.sources = dict(sources)
        self.memory = NoveltyMemory(watches=True)
        self.texts: dict[TextHash, str] = {}
        self.around = Surroundings(
            whole_task(), self.memory, gateway or ScriptedGateway([]), self.program, self.texts.__getitem__
        )
        for ordinal, source in sources.items():
            self.memory.note(ordinal, island, fingerprint(program(source), "python"))

    def program(self, ordinal: Ordinal) -> Program:
        """Returns the program of a candidate."""
        return program(self.sources[ordinal])
