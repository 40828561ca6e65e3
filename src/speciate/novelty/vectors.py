"""Where vectors come from: computed from the program, or given by a model."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from speciate.llm import unpack
from speciate.novelty.base import Screening
from speciate.novelty.embedding import Embedder
from speciate.novelty.hashing import Vector
from speciate.novelty.memory import NoveltyMemory
from speciate.records import Message, ModelGateway, Ordinal, Program, Request, Sampling, TextHash
from speciate.tasks import TaskSpec, mutable_text, program_segments

EMBED: Final = "embed"
"""Purpose of the call that embeds a candidate's program."""

EMBED_PARENT: Final = "embed_parent"
"""Purpose of the call that embeds a parent which nobody has embedded yet."""


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """Where the program that is screened lies.

    Attributes:
        vector: its vector.
        parent: its parent's, if that had to be asked for; None if it is known like others, or there is none.
    """

    vector: Vector
    parent: Vector | None = None


class Vectors(ABC):
    """Gives the vectors of programs: of the one that is screened, and of earlier ones."""

    asks: bool
    """Whether a model is asked, so that time spent here is not this machine's."""

    @abstractmethod
    async def proposed(self, screening: Screening) -> Position | None:
        """Returns where the program that is screened lies, or None if that cannot be said.

        Raises:
            BudgetExceededError: a model call would pass a cap.
        """

    @abstractmethod
    def earlier(self, ordinal: Ordinal) -> Vector | None:
        """Returns the vector of an earlier candidate's program, or None if it has none."""

    def comparable(self, screening: Screening, among: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Returns those of `among` whose vectors this candidate may see; all of them by default."""
        del screening
        return among


class PathVectors(Vectors):
    """Our own embedding, see `embed`.

    Args:
        program: returns an earlier candidate's program.
        spec: the task's.
    """

    asks = False

    def __init__(self, program: Callable[[Ordinal], Program], spec: TaskSpec) -> None:
        self._program = program
        self._embedder = Embedder(spec)

    @override
    async def proposed(self, screening: Screening) -> Position | None:
        return Position(self._embedder.of(screening.program))

    @override
    def earlier(self, ordinal: Ordinal) -> Vector | None:
        return self._embedder.of(self._program(ordinal))


class ModelVectors(Vectors):
    """A model's embedding of what may change of a program. Its replies are in the history, as all are.

    A parent that nobody has embedded (the initial program, and what genetic operators made) is embedded for
    the first child that is compared with it; other programs without a vector are not compared with.

    Args:
        model: spec of the model.
        gateway: asks it.
        memory: knows who has a vector.
        text: returns a text of the history.
        spec: the task's.
    """

    asks = True

    def __init__(
        self,
        model: str,
        gateway: ModelGateway,
        memory: NoveltyMemory,
        text: Callable[[TextHash], str],
        spec: TaskSpec,
    ) -> None:
        self._model = model
        self._gateway = gateway
        self._memory = memory
        self._text = text
        self._spec = spec

    @override
    async def proposed(self, screening: Screening) -> Position | None:
        origin, parent = screening.origin, screening.parent
        above: Vector | None = None
        if origin is not None and parent is not None and self._known(origin, screening.before) is None:
            above = await self._ask(parent, screening, EMBED_PARENT)
        vector = await self._ask(screening.program, screening, EMBED)
        return None if vector is None else Position(vector, above)

    async def _ask(self, program: Program, screening: Screening, purpose: str) -> Vector | None:
        parts = program_segments(program, self._spec)
        text = "\n".join(piece for part in parts for piece in mutable_text(part.segments)) or "\n"
        text = text.encode("utf-8", "replace").decode()  # no request can hold half a surrogate pair
        reply = await self._gateway.ask(
            self._model,
            Request((Message("user", (text,)),), Sampling(max_tokens=1)),
            ordinal=screening.ordinal,
            attempt=screening.attempt,
            purpose=purpose,
        )
        return None if reply.error is not None else unpack(reply.text)

    def _known(self, ordinal: Ordinal, before: Ordinal) -> TextHash | None:
        return self._memory.vector_text(ordinal, before=before)

    @override
    def earlier(self, ordinal: Ordinal) -> Vector | None:
        text = self._known(ordinal, sys.maxsize)
        return None if text is None else unpack(self._text(text))

    @override
    def comparable(self, screening: Screening, among: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        known = [ordinal for ordinal in among.tolist() if self._known(ordinal, screening.before) is not None]
        return np.array(known, dtype=np.int64)
