import pytest

from speciate.records import FailureKind
from speciate.reports import read_facts, remarks, summarise
from speciate.testing.stories import Story


def said(story: Story) -> str:
    store = story.store
    if not store.sessions():
        store.update_session(store.open_session({}), seconds=1.0, stop_reason="candidates")
    return "\n".join(remarks(story.history, read_facts(store), summarise(story.history)))


def begun(story: Story) -> Story:
    story.scores(story.choose(), 1.0)
    return story


def test_a_finished_run_with_nothing_to_hide_has_no_remarks() -> None:
    assert said(begun(Story().begin())) == ""


def test_forgeable_and_unvalidated_tasks_are_marked() -> None:
    text = said(begun(Story().begin(kind="plain", validated=False)))
    assert "**Forgeable scores.**" in text
    assert "**Unvalidated.**" in text


@pytest.mark.parametrize(
    ("proposer", "words"),
    [("simulated:careful", "Results of simulated models"), ("scripted:a.toml", "simulated or scripted")],
)
def test_stand_ins_for_models_are_named(proposer: str, words: str) -> None:
    story = begun(Story().begin())
    story.scores(story.choose(proposer=proposer), 2.0)
    text = said(story)
    assert words in text
    assert proposer in text


def test_a_recording_of_a_simulated_model_is_simulated_too() -> None:
    story = begun(Story().begin())
    ordinal = story.choose(proposer="replay:cassette.jsonl")
    story.asks(ordinal)
    story.replies(ordinal, model="simulated:bold")
    assert "simulated:bold" in said(story)


def test_unknown_costs_and_uncertain_spend_are_told() -> None:
    story = begun(Story().begin())
    ordinal = story.choose()
    story.asks(ordinal)
    story.replies(ordinal, cost=None)
    story.asks(story.choose(), reserved=0.5)
    text = said(story)
    assert "**Unknown cost.**" in text
    assert "1 request was sent" in text
    assert "$0.50 at worst" in text


def test_score_code_that_broke_is_told() -> None:
    story = begun(Story().begin())
    story.fails(story.choose(), FailureKind.SCORE)
    assert "score code failed** on 1 candidate," in said(story)


def test_a_run_that_is_not_finished_says_how_to_go_on() -> None:
    story = begun(Story().begin())
    story.store.update_session(story.store.open_session({}), seconds=1.0, stop_reason="interrupted")
    assert "interrupted; `speciate resume` goes on" in said(story)
