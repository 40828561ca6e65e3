"""Token counts where nobody counted for us."""

from __future__ import annotations

import string

from speciate.records import Request

_WORDY = (string.ascii_letters + string.whitespace).encode()
_PER_MESSAGE = 16


def at_most(text: str) -> int:
    """Returns an upper estimate of the tokens in a text.

    Letters and blanks count a third of a token each; every digit and sign counts one, because several
    tokenisers split numbers into digits; everything else counts its UTF-8 bytes, the worst case of a
    byte-level vocabulary.
    """
    data = text.encode("utf-8", "surrogatepass")
    wordy = len(data) - len(data.translate(None, _WORDY))
    return len(data) - wordy + -(-wordy // 3)


def request_at_most(request: Request) -> int:
    """Returns an upper estimate of the tokens a request makes a model read, chat framing included."""
    framing = _PER_MESSAGE * (len(request.messages) + 1)
    schema = request.sampling.json_schema
    extra = (request.sampling.grammar or "") + (repr(schema) if schema else "")
    return framing + at_most(extra) + sum(at_most(message.text) for message in request.messages)


def about(text: str) -> int:
    """Returns a middling estimate of the tokens in a text (four bytes a token), for made-up usage."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)
