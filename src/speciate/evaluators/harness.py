"""Inside the candidate's own process: receive the program, run it on each case, answer in frames.

Everything here shares a process with the candidate, which may read and change all of it. So nothing is
decided here: answers are data, judged outside; time and memory are measured outside; a lie about an error
harms the liar. Standard library only, numpy once an array arrives.

Messages to the outside: ``uint64 length | tag byte | frame``. Tags: R ready for a case, A answer to a case,
Q question to a model (its reply comes where cases come from), E error.
"""

from __future__ import annotations

import errno
import importlib.util
import os
import random
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from speciate.evaluators import frame, wire

READY, ANSWER, ERROR, QUERY = b"R", b"A", b"E", b"Q"
FEEDBACK = 4096
_FIXED = ("/", "/usr", "/etc", "/dev", "/task", "/speciate", "/proc")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a candidate's process is told about its surroundings.

    Attributes:
        inbox: descriptor to read program and cases from.
        outbox: descriptor to write messages to.
        home: an empty private folder.
        task: the folder with the task's visible files.
        files: names in it that appear beside the program.
        evaluate: name of the evaluate file (mode plain).
        run: the task's ``run`` function, loaded before the fork, or the shim that calls the evaluate file
            (mode foreign), or None. It takes program and case, and in mode agent `query` too.
        python: whether the program is a Python module.
        output_bytes: how large an answer may be.
        address_space: bytes of address space for an executed command.
    """

    inbox: int
    outbox: int
    home: str
    task: str
    files: tuple[str, ...]
    evaluate: str
    run: Callable[..., Any] | None
    python: bool
    output_bytes: int
    address_space: int


@dataclass(frozen=True, slots=True)
class ProgramFolder:
    """What ``run(program, case)`` receives for a program that is not Python.

    Attributes:
        folder: where its files lie.
        files: their names; the first is the entry file.
    """

    folder: Path
    files: tuple[str, ...]


class Line:
    """Asks the model of the evaluation; what ``run(program, case, query)`` receives as `query`.

    One question at a time goes through: threads of a candidate wait for each other.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._turn = threading.Lock()

    def __call__(self, prompt: str, system: str = "", temperature: float = 0.0) -> str:
        """Returns what the model says.

        Args:
            prompt: the user's message.
            system: the system message; an empty one is not sent.
            temperature: from 0 to 2.

        Raises:
            ConnectionError: no answer came.
            TypeError: an argument has the wrong type.
            ValueError: the temperature is out of range, or a text is no Unicode.
        """
        question = {
            "prompt": _text("prompt", prompt),
            "system": _text("system", system),
            "temperature": _temperature(temperature),
        }
        payload = frame.encode(question, limit=self._setting.output_bytes)
        with self._turn:
            _send(self._setting, QUERY, payload)
            reply = frame.decode(_read(self._setting.inbox))
        if reply["error"]:
            raise ConnectionError(reply["error"])
        text: str = reply["text"]
        return text


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"query(): {name} must be a str, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"query(): {name} holds half a character") from error
    return str(value)


def _temperature(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"query(): temperature must be a number, not {type(value).__name__}")
    if not 0 <= value <= 2:
        raise ValueError(f"query(): temperature must lie between 0 and 2, not {value}")
    return float(value)


def main(setting: Setting) -> NoReturn:
    """Serves one candidate and ends the process."""
    code = 70
    try:
        job = frame.decode(_read(setting.inbox))
        folder = write_files(setting, job["files"])
        seed(job["seed"])
        if job["mode"] == "command":
            _execute(setting, folder, job)
        _serve(setting, folder, job)
        code = 0
    except BaseException as error:  # noqa: BLE001 (the edge of a worker: whatever it is, it is reported)
        code = error.code if isinstance(error, SystemExit) and isinstance(error.code, int) else 1
        _report(setting, error)
    finally:
        os._exit(code & 0xFF)


def _serve(setting: Setting, folder: Path, job: dict[str, Any]) -> None:
    """Loads the candidate and answers case after case until the outside ends this process."""
    answer = _answerer(setting, folder, job)
    _send(setting, READY, b"")
    while True:
        case = frame.decode(_read(setting.inbox))
        encoded = frame.encode(answer(case), limit=setting.output_bytes)
        _flush()
        _send(setting, ANSWER, encoded)


def _answerer(setting: Setting, folder: Path, job: dict[str, Any]) -> Callable[[Any], Any]:
    """Returns the function from a case to an answer that the job's mode asks for."""
    names = tuple(name for name, _ in job["files"])
    entry = folder / names[0]
    if job["mode"] == "check":
        return lambda _: _facts(setting)
    sys.path[:0] = [str(folder), str(entry.parent)]
    if job["mode"] == "plain":
        evaluate = load(Path(setting.task) / setting.evaluate).evaluate
        return lambda _: evaluate(str(entry))
    assert setting.run is not None, "mode run needs the task's run file"
    run = setting.run
    if job["mode"] == "agent":
        agent, query = load(entry), Line(setting)
        return lambda case: run(agent, case, query)
    if job["mode"] == "foreign":
        return _judge(run, entry, [str(folder / name) for name in names])
    program = load(entry) if setting.python else ProgramFolder(folder, names)
    return lambda case: run(program, case)


def _judge(run: Callable[[Any, Any], Any], entry: Path, own: list[str]) -> Callable[[Any], Any]:
    """Returns the function that has a shim judge the program.

    What the candidate raised goes on. What was raised without a line of the candidate's being involved is the
    score code's failure, and part of the answer.

    Args:
        run: the shim.
        entry: the program's entry file.
        own: paths of the program's files.
    """

    def answer(case: Any) -> Any:
        try:
            return run(entry, case)
        except Exception as error:
            told = "".join(traceback.format_exception(error))  # with its causes, those in other processes too
            if isinstance(error, MemoryError) or any(f'"{path}"' in told for path in own):
                raise
            place = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {error}"[:500]
            message = f"score code raised {said} ({Path(place.filename).name}, line {place.lineno})"
            return {"failure": "score", "message": message}

    return answer


def load(path: Path) -> ModuleType:
    """Imports a file as a module named after it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def write_files(setting: Setting, files: list[list[str]]) -> Path:
    """Writes the program into a private folder, the task's visible files beside it, and goes there."""
    folder = Path(setting.home) / "program"
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    for name in setting.files:
        path = folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(Path(setting.task) / name)
    os.environ["HOME"] = os.environ["TMPDIR"] = setting.home
    os.chdir(folder)
    return folder


def seed(seed: int) -> None:
    """Gives the global generators a state of this candidate's own, the same in every run."""
    random.seed(seed)
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed(seed)


def _execute(setting: Setting, folder: Path, job: dict[str, Any]) -> NoReturn:
    """Becomes the job's command."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (setting.address_space, setting.address_space))
    os.set_inheritable(setting.inbox, False)
    os.set_inheritable(setting.outbox, False)
    entry = str(folder / job["files"][0][0])
    argv = [argument.replace("{program}", entry) for argument in job["argv"]]
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        raise OSError(error.errno, f"cannot start {argv[0]!r}: {error.strerror}") from None


def _facts(setting: Setting) -> dict[str, Any]:
    """Returns what this process still may do; the engine refuses to start if it is too much."""
    import socket

    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
        network = True
    except OSError:
        network = False
    return {
        "uid": os.getuid(),
        "network": network,
        "pids": sum(entry.name.isdigit() for entry in os.scandir("/proc")),
        "writable": [
            path for path in ("/", "/usr", "/etc", "/dev", setting.task) if os.access(path, os.W_OK)
        ],
    }


def _report(setting: Setting, error: BaseException) -> None:
    """Tells the outside how the candidate failed; a report that fails leaves the exit code to tell."""
    try:
        _flush()
        kind, message = _describe(error)
        try:
            feedback = _trimmed(error, Path(setting.home) / "program")
        except BaseException:  # noqa: BLE001 (too large to be told, or it raises when it is asked)
            feedback = ""
        text = {"kind": kind, "message": message, "feedback": feedback}
        _send(setting, ERROR, frame.encode(text))
    except BaseException:  # noqa: BLE001 (the candidate broke what a report needs)
        os._exit(70)


def _describe(error: BaseException) -> tuple[str, str]:
    """Returns failure kind and message of what was raised."""
    name = type(error).__name__
    try:
        message = f"{name}: {error}"[:500]
    except BaseException:  # noqa: BLE001 (its __str__ raises)
        message = name
    if isinstance(error, frame.FrameError):
        return ("output_limit" if error.too_large else "malformed"), f"the answer cannot be sent: {error}"
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return "output_limit", f"wrote too large a file: {message}"
    kinds: list[tuple[type[BaseException], str]] = [
        (SyntaxError, "syntax"),
        (ImportError, "import"),
        (MemoryError, "memory_limit"),
        (SystemExit, "exit"),
    ]
    return next((kind for cls, kind in kinds if isinstance(error, cls)), "exception"), message


def _trimmed(error: BaseException, folder: Path) -> str:
    """Returns the traceback reduced to the candidate's own frames, with paths relative to its folder."""
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(str(folder))]
    lines = traceback.format_list(own[-20:]) + traceback.format_exception_only(error)
    return "".join(lines).replace(f"{folder}/", "")[-FEEDBACK:]


def _flush() -> None:
    """Pushes out what was printed, as far as it still can be."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # closed or replaced by the candidate
            continue


def _send(setting: Setting, tag: bytes, payload: bytes) -> None:
    """Writes one message to the outside."""
    view = memoryview(wire.LENGTH.pack(len(payload) + 1) + tag + payload)
    while view:
        view = view[os.write(setting.outbox, view) :]


def _read(descriptor: int) -> bytes:
    """Reads one length-prefixed message from the outside; ends the process when the outside is gone."""
    (size,) = wire.LENGTH.unpack(_exactly(descriptor, wire.LENGTH.size))
    return _exactly(descriptor, size)


def _exactly(descriptor: int, size: int) -> bytes:
    """Reads that many bytes; ends the process when the outside is gone."""
    parts = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
