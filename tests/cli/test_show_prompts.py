from __future__ import annotations

from pathlib import Path

import pytest

from speciate.testing.command_line import CommandLine

EVENLY = "{default=1, other_algorithm=1, motivated=1, structural=1, parametric=1}"


@pytest.fixture
def worded(cli: CommandLine, task: Path) -> Path:
    cli(
        "run", task, "--candidates", "60", "--out", "run", "--model", "simulated:bold",
        "--set", "prompts.evolve.enabled=true", "--set", "prompts.evolve.interval=5",
        "--set", f"prompts.full={EVENLY}",
    )  # fmt: skip
    return Path("run")


def test_the_ways_of_asking_are_shown_with_what_came_of_them(cli: CommandLine, worded: Path) -> None:
    said = cli("show", worded, "--prompts").out
    for part in ("Phrasings of full rewrites", "structural (1-", "after 12 updates", "0 (original)", "cost "):
        assert part in said
    value = cli("show", worded, "--prompts", "--json").json
    assert len(value["phrasings"]) == 5
    assert value["updates"] == 12
    assert len(value["wordings"]) > 1
    assert cli("doctor", worded).out.endswith("All is well\n")


def test_a_prompt_shows_what_its_candidate_saw_said_and_how_it_was_asked(
    cli: CommandLine, worded: Path
) -> None:
    seen = [cli("show", worded, "--prompt", str(n), "--json").json for n in range(1, 61)]
    one = next(shown for shown in seen if shown["phrasing"] == "structural" and shown["wording"])
    [system, user, *_] = (m["parts"] for m in one["exchanges"][0]["messages"])
    assert "What follows holds whatever stands above" in "".join(system)
    assert "Rebuild the current program" in "".join(user)
    assert one["exchanges"][0]["reply"]["text"]
    assert set(one["prompts"]) == {"wordings.keep", "full.structural"}
    said = cli("show", worded, "--prompt", str(one["ordinal"])).out
    assert f"phrasing structural, wording {one['wording']} of the system prompt" in said
    assert "full.structural 1-" in said
    for part in ("--- system", "--- user", "--- reply of", "Rebuild the current program"):
        assert part in said
    assert "phrasing structural" in cli("show", worded, "--candidate", str(one["ordinal"])).out


def test_a_run_without_wordings_says_how_to_get_some(cli: CommandLine, task: Path) -> None:
    cli("run", task, "--candidates", "5", "--out", "run")
    assert "prompts.evolve.enabled=true" in cli("show", "run", "--prompts").out
    assert cli("show", "run", "--prompts", "--best").code == 2
    assert cli("show", "run", "--prompts", "--write", "x").code == 2
    wrong = cli("run", task, "--out", "other", "--set", "prompts.full.structure=1")
    assert wrong.code == 2
    assert "structural" in wrong.err
