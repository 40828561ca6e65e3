"""A server on loopback that speaks OpenAI's HTTP interface and misbehaves on demand."""

from __future__ import annotations

import json
import threading
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
    """A request as the server saw it."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Json]


class FakeOpenAI:
    """The server, a context manager. Behaviours are used in order; later requests get `otherwise`."""

    def __init__(self, behaviours: Sequence[Behaviour] = (), *, otherwise: Behaviour | None = None) -> None:
        """Listens on a free port of 127.0.0.1."""
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
    def url(self) -> str:
        """The base address, as a client is given it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

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

    def hold(self, together: int) -> None:
        """Makes every request wait until `together` of them are here at once."""
        self._barrier = threading.Barrier(together, timeout=30)

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        with self._lock:
            self.received.append(Received(handler.path, dict(handler.headers), body))
            behaviour = self._script.popleft() if self._script else self._otherwise
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if self._barrier is not None:
                self._barrier.wait()
            self._act(handler, behaviour, body)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True  # the client has had enough, which some tests are about
        finally:
            with self._lock:
                self._at_once -= 1

    def _act(self, handler: BaseHTTPRequestHandler, behaviour: Behaviour, asked: Mapping[str, Json]) -> None:
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
            content = _content(behaviour, handler.path, asked)
            self._send(handler, behaviour.status, content, behaviour.headers)

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


def _content(behaviour: Behaviour, path: str, asked: Mapping[str, Json]) -> bytes:
    if behaviour.kind == "garbage":
        return b'{"choices": [{"mess'
    if behaviour.kind == "status":
        mistake = {"message": behaviour.text, "code": behaviour.code, "type": behaviour.code}
        return json.dumps({"error": mistake}).encode()
    if behaviour.kind == "wrong_shape":
        return b'{"detail": "a proxy answered in its own words"}'
    chat = path.endswith("/chat/completions")
    said = {"role": "assistant", "content": behaviour.text, "refusal": behaviour.refusal}
    choice = {
        "index": 0,
        "finish_reason": behaviour.finish,
        **({"message": said} if chat else {"text": behaviour.text, "logprobs": None}),
    }
    reply: dict[str, object] = {
        "id": "reply-1",
        "object": "chat.completion" if chat else "text_completion",
        "created": 1_700_000_000,
        "model": f"{asked['model']}-served",
        "choices": [] if behaviour.kind == "no_choices" else [choice],
    }
    if behaviour.count_tokens:
        reply["usage"] = {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 40},
            "completion_tokens_details": {"reasoning_tokens": 5},
        }
    return json.dumps(reply).encode()
