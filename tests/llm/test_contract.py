from __future__ import annotations

import asyncio
import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from speciate.llm import LLM, Cassette, LLMConfig, Recorder, Recording, Replay, ScriptedLLM, open_llm
from speciate.testing.fake_openai import FakeOpenAI
from speciate.testing.llms import QUESTION, LLMContract


class TestScripted(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        (folder / "script.toml").write_text('choose = "cycle"\n[[replies]]\nreply = "yes"\n')
        yield open_llm(f"scripted:{folder / 'script.toml'}", LLMConfig())


class TestSimulated(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        yield open_llm("simulated:sloppy", LLMConfig())


class TestCommand(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        yield open_llm("command:cat", LLMConfig(timeout=60))


class TestCommandInPython(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        program = "import sys; print(sys.stdin.read().upper())"
        yield open_llm(f"command:{shlex.join([sys.executable, '-ISc', program])}", LLMConfig(timeout=60))


class TestSpool(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        llm = open_llm(f"spool:{folder}", LLMConfig(spool_poll=0.02))
        done = threading.Event()
        person = threading.Thread(target=answer_all, args=(folder, done))
        person.start()
        try:
            yield llm
        finally:
            done.set()
            person.join()


class TestRecorder(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        yield Recorder(ScriptedLLM(["yes"] * 30), Recording(folder / "tape.jsonl"))


class TestReplay(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        asyncio.run(record(folder / "tape.jsonl"))
        yield Replay("replay:tape", Cassette(folder / "tape.jsonl"), model=None)


class TestLocalChat(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        with FakeOpenAI() as server:
            yield open_llm(f"local:gemma@{server.url}", LLMConfig(timeout=60))


class TestLocalCompletions(LLMContract):
    @contextmanager
    def opened(self, folder: Path) -> Iterator[LLM]:
        with FakeOpenAI() as server:
            yield open_llm(f"local:gemma@{server.url}?api=completions", LLMConfig(timeout=60))


def answer_all(folder: Path, done: threading.Event) -> None:
    while not done.wait(0.01):
        for question in (folder / "asked").glob("*.json"):
            answer = folder / "answered" / f"{question.stem}.reply.md"
            if not answer.exists():
                draft = folder / f"{question.stem}.draft"
                draft.write_text("an answer\n")
                draft.rename(answer)


async def record(path: Path) -> None:
    recorder = Recorder(ScriptedLLM(["yes"] * 20), Recording(path))
    for repeat in range(20):
        await recorder.complete(QUESTION, repeat=repeat)
    await recorder.close()
