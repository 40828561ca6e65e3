"""A server on loopback that misbehaves on demand, whatever language of a vendor's it speaks."""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Literal, Self

from speciate.records import Json

Kind = Literal["answer", "status", "hang", "cut", "garbage", "no_choices", "wrong_shape", "huge", "zipped"]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What the server does with one request.

    Attributes:
        kind: an answer, an error status, silence, a connection cut in mid-reply, a body that is no JSON,
            a reply without choices, JSON of another shape, an endless reply, or a compressed one.
        text: what the model says, or the error's message.
        finish: why the model stopped.
        refusal: the model's refusal, or None.
        status: HTTP status of an error.
        code: the error's code.
        headers: further headers.
        count_tokens: whether the answer says how many tokens were used.
    """

    kind: Kind = "answer"
    text: str = "hello"
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    count_tokens: bool = True


def error(status: int, message: str = "no", *, code: str | None = None, **headers: str) -> Behaviour:
    """Returns an error status; headers are given with underscores (``retry_after="1"``)."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Behaviour("status", message, status=status, code=code, headers=named)


@dataclass(frozen=True, slots=True)
class Received:
    """A request as the server saw it; the names of headers are in small letters."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Json]


class BadRequest(Exception):  # noqa: N818 -- a value of the protocol, not a fault of ours
    """What a vendor would refuse with status 400; the message says what it saw."""


class FakeServer(ABC):
    """The server, a context manager. Behaviours are used in order; later requests get `otherwise`.

    A subclass speaks a vendor's language, and refuses what the vendor is documented to refuse.
    """

    def __init__(
        self,
        behaviours: Sequence[Behaviour] = (),
        *,
        otherwise: Behaviour | None = None,
        key: str | None = None,
        models: Sequence[str] | None = None,
    ) -> None:
        """Listens on a free port of 127.0.0.1.

        Args:
            behaviours: what to do with the first requests.
            otherwise: what to do with all others; None answers.
            key: the only key that is let in, or None for any.
            models: the only models there are, or None for any.
        """
        self._key = key
        self._models = models
        self.received: list[Received] = []
        self.bytes_sent = 0
        self.most_at_once = 0
        self._at_once = 0
        self._script = deque(behaviours)
        self._otherwise = otherwise or Behaviour()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._barrier: threading.Barrier | None = None
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                fake._handle(self)

            def log_message(self, *_: object) -> None:
                """Keeps the tests' output clean."""

        class Server(ThreadingHTTPServer):
            request_queue_size = 128
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def address(self) -> str:
        """The server's address without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The base address, as a client is given it."""
        return self.address

    @abstractmethod
    def check(self, received: Received) -> None:
        """Raises BadRequest for what the vendor would refuse."""

    @abstractmethod
    def key_of(self, received: Received) -> str | None:
        """Returns the key that came with a request."""

    @abstractmethod
    def model_of(self, received: Received) -> str:
        """Returns the model that a request names."""

    @abstractmethod
    def answer(self, behaviour: Behaviour, received: Received) -> Json:
        """Returns a whole answer."""

    @abstractmethod
    def nothing(self) -> Json:
        """Returns an answer in which the model says nothing at all: no choices, no candidates."""

    @abstractmethod
    def mistake(self, behaviour: Behaviour) -> Json:
        """Returns the body of an error."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def hold(self, together: int, *others: FakeServer) -> None:
        """Makes every request wait until `together` of them are here at once, or at one of the others."""
        barrier = threading.Barrier(together, timeout=30)
        for server in (self, *others):
            server._barrier = barrier

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        received = Received(handler.path, headers, body)
        with self._lock:
            self.received.append(received)
            behaviour = self._script.popleft() if self._script else self._otherwise
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if self._barrier is not None:
                self._barrier.wait()
            self._act(handler, self._judged(behaviour, received), received)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True  # the client has had enough, which some tests are about
        finally:
            with self._lock:
                self._at_once -= 1

    def _judged(self, behaviour: Behaviour, received: Received) -> Behaviour:
        """Returns a refusal instead of an answer where the vendor would refuse."""
        if behaviour.kind != "answer":
            return behaviour
        if self._key is not None and self.key_of(received) != self._key:
            return error(401, f"wrong key {self.key_of(received)}", code="invalid_api_key")
        model = self.model_of(received)
        if self._models is not None and model not in self._models:
            return error(404, f"there is no model {model}", code="model_not_found")
        try:
            self.check(received)
        except BadRequest as refused:
            return error(400, str(refused), code="invalid_request")
        return behaviour

    def _act(self, handler: BaseHTTPRequestHandler, behaviour: Behaviour, received: Received) -> None:
        if behaviour.kind == "hang":
            self._closing.wait()
            handler.close_connection = True
        elif behaviour.kind == "cut":
            self._begin(handler, 200, {"content-length": "1000"})
            handler.wfile.write(b'{"id": "x", "choi')
            handler.close_connection = True
        elif behaviour.kind == "huge":
            self._flood(handler)
        elif behaviour.kind == "zipped":
            self._send(handler, 200, b"\x1f\x8b", {"content-encoding": "gzip"})
        else:
            content = self._content(behaviour, received)
            self._send(handler, behaviour.status, content, behaviour.headers)

    def _content(self, behaviour: Behaviour, received: Received) -> bytes:
        if behaviour.kind == "garbage":
            return b'{"choices": [{"mess'
        if behaviour.kind == "wrong_shape":
            return b'{"detail": "a proxy answered in its own words"}'
        if behaviour.kind == "status":
            return json.dumps(self.mistake(behaviour)).encode()
        whole = self.nothing() if behaviour.kind == "no_choices" else self.answer(behaviour, received)
        return json.dumps(whole).encode()

    def _flood(self, handler: BaseHTTPRequestHandler) -> None:
        size = 200 * 2**20
        self._begin(handler, 200, {"content-length": str(size)})
        block = b" " * 2**16
        while self.bytes_sent < size and not self._closing.is_set():
            handler.wfile.write(block)
            self.bytes_sent += len(block)

    def _send(
        self, handler: BaseHTTPRequestHandler, status: int, content: bytes, headers: Mapping[str, str]
    ) -> None:
        self._begin(handler, status, {"content-length": str(len(content)), **headers})
        handler.wfile.write(content)

    def _begin(self, handler: BaseHTTPRequestHandler, status: int, headers: Mapping[str, str]) -> None:
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
