"""The process in which a task's score.py lives: ``python -m speciate.evaluators.score_worker``.

It answers messages on one socket until the socket closes. Candidate code is never loaded here. The engine
kills it when an answer takes too long, so nothing in here needs a deadline.

    do         head              parts       reply's head    reply's parts
    cases      context           opponents                   cases
    score      context, answers  data                        results
    aggregate                    results     answer

A reply may also be ``forgotten`` (this worker has not seen the context), ``raised`` (score code raised or
answered nonsense, perhaps because of this candidate's data) or ``broken`` (the task's own code is at fault
whatever the candidate did).
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from speciate.errors import ScoreError, nearest
from speciate.evaluators import bounds
from speciate.evaluators.aggregate import mean_of_cases
from speciate.evaluators.bounds import AnswerError
from speciate.evaluators.frame import FrameError
from speciate.evaluators.messages import Message, packed, receive
from speciate.evaluators.modules import load_module, raised
from speciate.records import Context, Program

CONTEXTS: Final = 4
"""Contexts whose cases are kept; an older one is asked for again."""

LOG_BYTES: Final = 64 * 1024
PR_SET_PDEATHSIG: Final = 1

Case: TypeAlias = dict[str, Any]
"""A case as ``cases`` gave it, with the keys that only score code may see. Any: user data."""

Function: TypeAlias = Callable[..., Any]  # Any: user code, checked where it answers


class Blamed(Exception):  # noqa: N818  # not an error of ours: it carries a reply
    """Ends a request with a reply that says whose fault it was."""

    def __init__(self, whose: str, message: str) -> None:
        self.reply = Message({whose: message})


class ScoreCode:
    """The functions of one score.py and the cases they made.

    Args:
        path: the file.
        objectives: names of the task's objectives.
        descriptors: names of its descriptors.
    """

    def __init__(self, path: Path, objectives: Sequence[str], descriptors: Sequence[str]) -> None:
        self._path = path
        self._objectives = tuple(objectives)
        self._descriptors = tuple(descriptors)
        functions = vars(load_module(path))
        self._cases = self._function(functions, "cases", "cases(context)")
        self._score = self._function(functions, "score", "score(case, data)")
        self._aggregate: Function | None = functions.get("aggregate")
        self._known: dict[str, dict[str, Case]] = {}

    def reply(self, request: Message) -> Message:
        """Returns the reply to one request."""
        steps = {"cases": self.cases, "score": self.score, "aggregate": self.aggregate}
        try:
            return steps[request.head["do"]](request)
        except Blamed as blamed:
            return blamed.reply

    def cases(self, request: Message) -> Message:
        """Calls ``cases`` and keeps what only score code may see."""
        given = request.head["context"]
        context = Context(
            opponents=tuple(Program(tuple((name, text) for name, text in files)) for files in request.parts),
            settings=given["settings"],
            seeds=tuple(given["seeds"]),
        )
        found = self._call(self._cases, context, blame="broken")
        try:
            self._known[given["hash"]] = named = _named(found)
            while len(self._known) > CONTEXTS:
                del self._known[next(iter(self._known))]
            return Message({}, tuple(_shown(case) for case in named.values()))
        except AnswerError as error:
            raise Blamed("broken", f"cases() of {self._path}: {error}") from None

    def score(self, request: Message) -> Message:
        """Calls ``score`` once an answer."""
        known = self._known.get(request.head["context"])
        if known is None:
            return Message({"forgotten": True})
        pairs = zip(request.head["answers"], request.parts, strict=True)
        return Message({}, tuple(self._scored(known, answer, data) for answer, data in pairs))

    def aggregate(self, request: Message) -> Message:
        """Calls ``aggregate``, or takes the mean over cases when the task has none."""
        found = list(request.parts)
        if self._aggregate is not None:
            return Message({"answer": self._call(self._aggregate, found, blame="raised")})
        try:
            return Message({"answer": mean_of_cases(found, self._objectives, self._descriptors)})
        except AnswerError as error:
            raise Blamed("raised", f"score() answered nonsense: {error}") from None

    def _scored(self, known: Mapping[str, Case], answer: Mapping[str, Any], data: object) -> dict[str, Any]:
        if answer["case"] not in known:
            raise Blamed("broken", f"cases() of {self._path} gave no case {answer['case']!r} the second time")
        found = self._call(self._score, known[answer["case"]], data, blame="raised")
        try:
            result = _case_result(found, self._objectives[0])
        except AnswerError as error:
            raise Blamed("raised", f"score() answered nonsense: {error}") from None
        return {"case": answer["label"], **result, "seconds": answer["seconds"]}

    def _call(self, function: Function, *arguments: object, blame: str) -> object:
        try:
            return function(*arguments)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # the edge of a worker: it becomes a reply
            raise Blamed(blame, f"{function.__name__}() raised {raised(error)}") from None

    def _function(self, functions: Mapping[str, Function], name: str, signature: str) -> Function:
        if not callable(functions.get(name)):
            raise ScoreError(f"{self._path} defines no function {signature}")
        return functions[name]


def _named(found: object) -> dict[str, Case]:
    """Checks what ``cases`` returned and gives it by name."""
    if not isinstance(found, list | tuple) or not found:
        raise AnswerError(f"expected a list of at least one case; it returned {bounds.kind(found)}")
    named: dict[str, Case] = {}
    for case in found:
        name = dict(bounds.mapping(case, "a case")).get("name")
        if not isinstance(name, str) or name in named:
            raise AnswerError(f"a case is named {name!r}; every case needs a name of its own")
        named[name] = case
    return named


def _shown(case: Case) -> dict[str, Any]:
    """Returns the part of a case that enters the sandbox; every other key stays with score code."""
    stage = case.get("stage", 0)
    if not isinstance(stage, int) or isinstance(stage, bool) or stage < 0:
        raise AnswerError(f"case {case['name']!r} has the stage {stage!r}; expected 0, 1, 2 ...")
    return {"name": case["name"], "data": case.get("data"), "stage": stage}


def _case_result(found: object, objective: str) -> dict[str, Any]:
    """Returns values, validity and feedback of what ``score`` returned; a bare number is the objective's."""
    if not isinstance(found, Mapping):
        return {"values": {objective: bounds.number(found, "the answer")}, "valid": True, "feedback": ""}
    keys = ("values", "valid", "feedback")
    for key in found:
        if key not in keys:
            raise AnswerError(f"unknown key {key!r}{nearest(str(key), keys)}")
    values = bounds.mapping(found.get("values", {}), "values")
    return {
        # NaN stays a number here: `aggregate` computes with it. Only the finished result puts it in words.
        "values": {str(name): bounds.measured(value, f"values[{name!r}]") for name, value in values.items()},
        "valid": bounds.flag(found.get("valid", True), "valid"),
        "feedback": bounds.text(found.get("feedback", ""), bounds.FEEDBACK_BYTES, "feedback"),
    }


def _die_with_parent(parent: int) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before we asked
        sys.exit(1)


def _trim_log() -> None:
    """Keeps what score.py prints from filling the disk; stderr is a file of ours, opened for appending."""
    if os.fstat(2).st_size > LOG_BYTES:
        os.ftruncate(2, 0)


def main(arguments: Sequence[str]) -> None:
    """Serves until the socket closes.

    Args:
        arguments: number of the socket's descriptor, process id of the engine, path of score.py, names of
            objectives and of descriptors, one a line each.
    """
    descriptor, parent, path, objectives, descriptors = arguments
    _die_with_parent(int(parent))
    channel = socket.socket(fileno=int(descriptor))
    channel.set_inheritable(False)
    sys.path.insert(0, str(Path(path).parent))
    try:
        code = ScoreCode(Path(path), objectives.split("\n"), descriptors.split("\n") if descriptors else ())
    except ScoreError as error:
        channel.sendall(packed(Message({"broken": str(error)})))
        return
    channel.sendall(packed(Message({"ready": True})))
    while (request := receive(channel)) is not None:
        channel.sendall(_packed(code.reply(request), request.head["do"]))
        _trim_log()


def _packed(reply: Message, asked: str) -> bytes:
    try:
        return packed(reply)
    except FrameError as error:
        whose = "broken" if asked == "cases" else "raised"
        return packed(Message({whose: f"{asked}() answered what cannot be handed on: {error}"}))


if __name__ == "__main__":
    main(sys.argv[1:])
