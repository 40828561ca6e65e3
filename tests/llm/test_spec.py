from __future__ import annotations

from pathlib import Path

import pytest

from speciate.errors import ConfigError
from speciate.llm import VENDORS, LLMConfig, known_specs, located, open_llm, parse_spec


def test_a_local_spec_has_model_server_and_options() -> None:
    spec = parse_spec("local:org/gemma:4b@http://127.0.0.1:8080/v1?api=completions")
    assert (spec.kind, spec.model, spec.provider) == ("local", "org/gemma:4b", "local@127.0.0.1:8080")
    assert dict(spec.options) == {"api": "completions"}


def test_two_servers_are_two_providers_and_a_vendor_is_one() -> None:
    specs = [
        "local:a@http://h:1/v1",
        "local:b@http://h:1/v1",
        "local:a@http://h:2/v1",
        "openai:a",
        "openai:b",
    ]
    assert len({parse_spec(spec).provider for spec in specs}) == 3


def test_commands_keep_their_question_marks() -> None:
    assert parse_spec("command:agent --ask what?=x").name == "agent --ask what?=x"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("openia:gpt-5", "did you mean 'openai'"),
        ("gpt-5", "starts with one of"),
        ("openai:", "names nothing"),
        ("spool", "names nothing; form: spool:<folder>"),
        ("local:gemma", "no model or no server"),
        ("local:@http://127.0.0.1:1/v1", "no model or no server"),
        ("local:gemma@http://127.0.0.1:1/v1?api=talk", "chat, completions"),
        ("local:gemma@http://127.0.0.1:1/v1?apy=chat", "did you mean 'api'"),
        ("local:gemma@http://127.0.0.1:1/v1?grammar=yes", "grammar must be one of on, off"),
        ("local:gemma@http://127.0.0.1:1/v1?key=NOT_SET_ANYWHERE", "NOT_SET_ANYWHERE"),
        ("simulated:", "there are .*careful"),
        ("simulated:carefull", "did you mean 'careful'"),
        ("scripted:/no/such/file.toml", "cannot read"),
        ("replay:/no/such/file.jsonl", "cannot read"),
        ("command:no-such-program-anywhere", "no program"),
        ("command:sh -c 'unclosed", "cannot be split"),
        ("spool:/proc/no/such", "cannot make the folder"),
    ],
)
def test_wrong_specs_say_what_to_do(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        open_llm(spec, LLMConfig())


def test_every_kind_can_be_listed() -> None:
    local = {"local", "command", "spool", "scripted", "simulated", "replay"}
    assert {form.partition(":")[0] for form in known_specs()} == local | set(VENDORS)


def test_located_specs_do_not_depend_on_the_working_folder() -> None:
    assert located("scripted:a/b.toml?choose=hash", Path("/x")) == "scripted:/x/a/b.toml?choose=hash"
    assert located("spool:sp", Path("/x")) == "spool:/x/sp"
    assert located("spool:/abs", Path("/x")) == "spool:/abs"
    assert located("openai:gpt-5-mini", Path("/x")) == "openai:gpt-5-mini"
