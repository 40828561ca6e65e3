from speciate.records import RejectedEvent, Replied, TextRef, Usage
from speciate.reports import tried_again


def stopped(reason: str, attempt: int = 0, *, final: bool = False) -> RejectedEvent:
    return RejectedEvent(ordinal=1, attempt=attempt, at="screen", reason=reason, message="", final=final)


def replied(attempt: int, part: str = "propose") -> Replied:
    usage = Usage(calls=1, cost=0.5)
    return Replied(
        ordinal=1, attempt=attempt, part=part, text=TextRef(""), model="m", usage=usage, seconds=3.0
    )


def test_the_next_attempt_is_laid_at_the_door_of_the_screen() -> None:
    (again,) = tried_again(
        [replied(0), stopped("duplicate"), replied(1), stopped("no_change", 1, final=True)]
    )
    assert (again.screen, again.stopped, again.closed) == ("fingerprint", 2, 1)
    assert (again.usage.calls, again.usage.cost, again.seconds) == (1, 0.5, 3.0)


def test_what_no_judge_was_asked_about_was_stopped_by_the_embedding() -> None:
    (again,) = tried_again([replied(0), stopped("undecided")])
    assert again.screen == "embedding"
    (again,) = tried_again([replied(0), replied(0, "judge"), stopped("undecided")])
    assert again.screen == "judge"


def test_other_rejections_are_no_matter_of_novelty() -> None:
    assert tried_again([replied(0), stopped("syntax"), replied(1)]) == []
