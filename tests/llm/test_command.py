from __future__ import annotations

import asyncio
import gc
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from speciate.errors import ModelUnavailableError
from speciate.llm import LLMConfig, ModelPrice, open_llm
from speciate.records import Message, Reply, Request, Sampling

ASK = Request((Message("system", ("be brief",)), Message("user", ("hello",))), Sampling(temperature=1.0))
CONFIG = LLMConfig(timeout=60)


def ask(command: str, config: LLMConfig = CONFIG, request: Request = ASK) -> Reply:
    async def once() -> Reply:
        model = open_llm(f"command:{command}", config)
        try:
            return await model.complete(request)
        finally:
            await model.close()

    return asyncio.run(once())


def python(program: str) -> str:
    return shlex.join([sys.executable, "-ISc", program])


def test_the_prompt_goes_in_and_the_answer_comes_out() -> None:
    assert ask("cat").text == "be brief\n\nhello\n"


def test_a_conversation_shows_whose_turn_it_was() -> None:
    talk = Request((Message("user", ("a",)), Message("assistant", ("b",)), Message("user", ("c",))))
    assert ask("cat", request=talk).text == "# User\n\na\n\n# Assistant\n\nb\n\n# User\n\nc\n"


def test_arguments_are_split_like_a_shell_and_no_shell_runs() -> None:
    assert ask("echo 'a  b' $HOME ; true").text == "a  b $HOME ; true\n"


def test_settings_a_program_cannot_be_given_are_named() -> None:
    assert ask("cat").dropped == ("temperature",)


def test_its_price_is_unknown_unless_the_user_names_one() -> None:
    assert ask("cat").usage.cost is None
    prices = {"command:cat": ModelPrice(input=1, output=1)}
    assert (ask("cat", LLMConfig(timeout=60, prices=prices)).usage.cost or 0) > 0


def test_a_failing_program_is_unavailable_and_its_last_words_are_kept() -> None:
    command = python("import sys; sys.stderr.write('x' * 99999 + 'out of coffee'); sys.exit(3)")
    with pytest.raises(ModelUnavailableError, match=r"exit code 3.*out of coffee") as raised:
        ask(command)
    assert len(str(raised.value)) < 4000


def test_an_answer_longer_than_allowed_ends_the_program() -> None:
    with pytest.raises(ModelUnavailableError, match="longer than 2048"):
        ask("yes", LLMConfig(timeout=60, max_reply_bytes=2048))


def test_a_program_that_reads_nothing_may_answer_a_long_prompt() -> None:
    long = Request((Message("user", ("x" * 1_000_000,)),))
    assert ask("echo hi", request=long).text == "hi\n"


def test_silence_is_a_reply_with_an_error() -> None:
    assert ask("true").error == "the program wrote nothing"


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert ask(r"printf '\377ok'").text == "�ok"


def family(folder: Path) -> str:
    child = "import os, time; open('child', 'w').write(str(os.getpid())); time.sleep(600)"
    return (
        f"import os, subprocess, sys, time; os.chdir({str(folder)!r}); "
        f"subprocess.Popen([sys.executable, '-ISc', {child!r}]); time.sleep(600)"
    )


def born(folder: Path) -> None:
    """Waits until the grandchild has written down its number."""
    for _ in range(1500):
        if (folder / "child").exists() and (folder / "child").read_text():
            return
        time.sleep(0.02)
    raise AssertionError("the grandchild was never born")


def gone(folder: Path) -> bool:
    """Waits until the grandchild is no more, which init sees to once it is killed."""
    child = int((folder / "child").read_text())
    for _ in range(200):
        if not is_alive(child):
            return True
        time.sleep(0.05)
    return False


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_at_the_time_limit_the_whole_family_dies(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="no answer within"):
        ask(python(family(tmp_path)), LLMConfig(timeout=3))
    assert gone(tmp_path)


def test_a_cancelled_call_takes_the_family_with_it(tmp_path: Path) -> None:
    async def cancel() -> None:
        model = open_llm(f"command:{python(family(tmp_path))}", CONFIG)
        asking = asyncio.create_task(model.complete(ASK))
        await asyncio.to_thread(born, tmp_path)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await model.close()

    asyncio.run(cancel())
    assert gone(tmp_path)


def test_after_kill_9_of_this_process_the_family_dies(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys; from speciate.llm import LLMConfig, open_llm; "
        "from speciate.records import Message, Request; "
        "asyncio.run(open_llm(sys.argv[1], LLMConfig()).complete(Request((Message('user', ('a',)),))))"
    )
    asking = subprocess.Popen([sys.executable, "-c", code, f"command:{python(family(tmp_path))}"])
    try:
        born(tmp_path)
    finally:
        asking.kill()
        asking.wait()
    assert gone(tmp_path)


def test_a_closed_model_can_be_asked_again() -> None:
    async def twice() -> list[str]:
        model = open_llm("command:cat", CONFIG)
        replies = [await model.complete(ASK)]
        await model.close()
        await model.close()
        replies.append(await model.complete(ASK))
        await model.close()
        return [reply.text for reply in replies]

    assert asyncio.run(twice()) == ["be brief\n\nhello\n"] * 2


def test_no_descriptor_is_left_open() -> None:
    ask("cat")
    gc.collect()  # what other tests have forgotten
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(10):
        ask("cat")
    assert len(list(Path("/proc/self/fd").iterdir())) == before
