"""Resume is: read, fold, go on."""

from __future__ import annotations

from dataclasses import replace

from speciate.engine.manifest import read_beginning
from speciate.engine.run import Run
from speciate.errors import RunFolderError
from speciate.llm import worst_case
from speciate.records import Asked, Message, Replied, Request, TextRef, Usage


def fold(run: Run) -> None:
    """Applies the whole history to the run's state and ledger. Decides nothing.

    Raises:
        StoreCorruptError: the history contradicts itself or cannot be read.
    """
    begin(run)
    for stored in run.store.events():
        run.state.apply(stored.event)
        if isinstance(stored.event, Replied):  # one by one: a sum is of unknown cost as soon as one call is
            run.ledger.restore(stored.event.usage)
    for asked in run.state.uncertain:
        run.ledger.restore(_worst(run, asked), uncertain=True)


def begin(run: Run) -> None:
    """Lets the state begin with whom the run began; events tell how that changed since."""
    try:
        first = read_beginning(run.store)
    except RunFolderError:  # nothing was begun: there is no history either
        return
    run.state.begin_with(first.proposers, first.arms, kept=first.kept, reworded=first.reworded)


def _worst(run: Run, asked: Asked) -> Usage:
    """Returns what a request without a reply may have cost, also if its model proposes no more."""
    request = _request(run, asked)
    if asked.model in run.models.specs:
        return worst_case(request, run.models.price(asked.model))
    return replace(worst_case(request, None), cost=asked.reserved)


def _request(run: Run, asked: Asked) -> Request:
    def text(part: str | TextRef) -> str:
        return part if isinstance(part, str) else run.store.text(part.text)

    messages = tuple(Message(m.role, tuple(text(part) for part in m.parts)) for m in asked.messages)
    return Request(messages, asked.sampling)
