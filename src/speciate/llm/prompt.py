"""What a request says and asks for, for whoever takes no list of messages or not every setting."""

from __future__ import annotations

from speciate.records import Request


def plain_prompt(request: Request) -> str:
    """Returns the whole request as one text.

    Instructions and a single question stand one after the other; a conversation gets a heading a turn.
    """
    messages = request.messages
    if any(message.role == "assistant" for message in messages):
        turns = [f"# {message.role.capitalize()}\n\n{message.text}" for message in messages]
    else:
        turns = [message.text for message in messages]
    return "\n\n".join(turns).rstrip("\n") + "\n"


def optional_settings(request: Request) -> tuple[str, ...]:
    """Returns the names of the settings that are given and that not every model takes."""
    sampling = request.sampling
    given = {
        "temperature": sampling.temperature,
        "reasoning_effort": sampling.reasoning_effort,
        "seed": sampling.seed,
        "grammar": sampling.grammar,
        "json_schema": sampling.json_schema,
    }
    return tuple(name for name, value in given.items() if value is not None)
