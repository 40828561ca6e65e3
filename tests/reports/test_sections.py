from speciate.records import Json
from speciate.reports import PathStep
from speciate.reports.sections.ancestry import notable
from speciate.reports.sections.ran import flat, later_settings
from speciate.store import Session


def path_of(gains: list[float]) -> list[PathStep]:
    return [
        PathStep(
            ordinal=2 * place,
            generation=place,
            parents=(),
            operator="diff",
            proposer="a",
            model=None,
            epoch=0,
            score=0.0,
            gain=gain,
            summary="",
        )
        for place, gain in enumerate(gains)
    ]


def test_a_short_path_is_shown_whole() -> None:
    path = path_of([0.0, 1.0, 2.0])
    assert notable(path, most=3) == path


def test_of_a_long_path_both_ends_and_the_greatest_gains_are_shown_in_order() -> None:
    shown = notable(path_of([0.0, 5.0, 0.1, 7.0, 6.0, 0.2]), most=4)
    assert [step.generation for step in shown] == [0, 3, 4, 5]


def test_settings_are_told_by_their_dotted_names() -> None:
    changed: Json = {"seed": 3, "budget": {"candidates": 5}, "models": ["a", "b"], "empty": {}}
    assert flat(changed) == [
        ("seed", "3"),
        ("budget.candidates", "5"),
        ("models", "['a', 'b']"),
        ("empty", "{}"),
    ]


def session(number: int, settings: Json) -> Session:
    return Session(number, 0.0, 1.0, "candidates", 1.0, {"settings": settings})


def test_settings_of_later_sessions_are_told_where_they_differ_from_the_one_before() -> None:
    first: Json = {"seed": 3, "budget": {"candidates": 5, "cost": 1.0}}
    second: Json = {"seed": 3, "budget": {"candidates": 9}}
    assert later_settings([session(1, first), session(2, second), session(3, second)]) == [
        ("2", "`budget.candidates`", "9"),
        ("2", "`budget.cost`", "the default again"),
    ]
    assert later_settings([]) == []
