from __future__ import annotations

import pytest

from speciate.patches import PatchFailure, apply_search_replace
from speciate.records import Program
from speciate.tasks import Mutable, ObjectiveSpec, ProgramSpec, Task, TaskSpec

SOURCE = """import math

LIMIT = 3

# EVOLVE-BLOCK-START
def area(radius):
    scale = 1.0
    return scale * math.pi * radius**2


def rim(radius):
    scale = 1.0
    return 2 * math.pi * radius
# EVOLVE-BLOCK-END

print(area(LIMIT))
"""


def task(*files: str, mutable: Mutable = "regions", language: str = "python") -> Task:
    names = files or ("initial.py",)
    spec = TaskSpec(
        name="t",
        language=language,
        objectives=(ObjectiveSpec(name="score"),),
        program=ProgramSpec(files=names, mutable=mutable),
    )
    return Task(spec=spec, initial=Program.of(dict.fromkeys(names, "")))


def program(text: str = SOURCE) -> Program:
    return Program.of({"initial.py": text})


def block(search: str, replace: str, arrows: int = 7) -> str:
    parts = (
        ["<" * arrows + " SEARCH", *search.split("\n"), "=" * arrows, *replace.split("\n")] if replace else []
    )
    parts = parts or ["<" * arrows + " SEARCH", *search.split("\n"), "=" * arrows]
    return "\n".join([*parts, ">" * arrows + " REPLACE"]) + "\n"


def applied(reply: str, text: str = SOURCE, *, mutable: Mutable = "regions", fuzzy: float = 0.9) -> str:
    result = apply_search_replace(program(text), reply, task(mutable=mutable), fuzzy=fuzzy)
    assert isinstance(result, Program), result.message
    return result.source


def failed(
    reply: str, text: str = SOURCE, *, mutable: Mutable = "regions", fuzzy: float = 0.9
) -> PatchFailure:
    result = apply_search_replace(program(text), reply, task(mutable=mutable), fuzzy=fuzzy)
    assert isinstance(result, PatchFailure)
    return result


RETURN = "    return scale * math.pi * radius**2"
BETTER = "    return scale * 3.0 * radius**2"


def test_exact_lines_are_replaced_and_nothing_else() -> None:
    assert applied(block(RETURN, BETTER)) == SOURCE.replace(RETURN, BETTER)


@pytest.mark.parametrize(
    "dressed",
    [
        "Sure! Here is a better version.\n\n{}\nThis helps because ...",
        "```python\n{}```\n",
        "~~~\n{}~~~",
        "1. First:\n\n{}",
    ],
)
def test_chatter_and_fences_around_blocks_are_ignored(dressed: str) -> None:
    assert applied(dressed.format(block(RETURN, BETTER))) == SOURCE.replace(RETURN, BETTER)


@pytest.mark.parametrize("arrows", [5, 6, 7, 9])
def test_any_number_of_arrows_from_five_works(arrows: int) -> None:
    assert applied(block(RETURN, BETTER, arrows)) == SOURCE.replace(RETURN, BETTER)


def test_unequal_arrows_trailing_spaces_and_crlf_are_read() -> None:
    reply = f"<<<<<< SEARCH  \r\n{RETURN}\r\n========  \r\n{BETTER}\r\n>>>>>>>\r\n"
    assert applied(reply) == SOURCE.replace(RETURN, BETTER)


def test_several_blocks_are_applied_in_order() -> None:
    reply = block(RETURN, BETTER) + block(BETTER, "    return 0.0")
    assert applied(reply) == SOURCE.replace(RETURN, "    return 0.0")


def test_all_or_none_of_the_blocks_are_applied() -> None:
    failure = failed(block(RETURN, BETTER) + block("    nothing like this", "x"))
    assert failure.reason == "no_match"
    assert "SEARCH block 2 of 2" in failure.message


def test_an_empty_replacement_deletes_the_lines() -> None:
    assert applied(block("\n\ndef rim(radius):", "")) == SOURCE.replace(
        "\n\n\ndef rim(radius):", "\n", 1
    ).replace("radius**2\n\n    scale", "radius**2\n    scale")


def test_trailing_space_and_missing_indentation_are_forgiven() -> None:
    reply = block("return scale * math.pi * radius**2   ", "value = 2\nreturn value")
    assert applied(reply) == SOURCE.replace(RETURN, "    value = 2\n    return value")


def test_a_uniform_shift_of_indentation_is_carried_to_the_replacement() -> None:
    quoted = "        def rim(radius):\n            scale = 1.0"
    new = "        def rim(radius):\n            if radius:\n                scale = 2.0"
    after = applied(block(quoted, new))
    assert "\ndef rim(radius):\n    if radius:\n        scale = 2.0\n" in after


def test_text_inside_a_line_is_replaced_when_it_is_there_once() -> None:
    assert applied(block("2 * math.pi", "6.25")) == SOURCE.replace("2 * math.pi", "6.25")


def test_a_number_is_never_cut_in_two() -> None:
    text = "# EVOLVE-BLOCK-START\nrate = step(0.15)\n# EVOLVE-BLOCK-END\n"
    assert failed(block("step(0.1", "step(0.2"), text).reason == "no_match"


def test_a_misquoted_line_is_matched_by_likeness() -> None:
    reply = block("    return scale * math.pi * radius ** 2", BETTER)
    assert applied(reply) == SOURCE.replace(RETURN, BETTER)
    assert failed(reply, fuzzy=2.0).reason == "no_match"


def test_context_a_model_misquoted_keeps_the_programs_own_text() -> None:
    text = "# EVOLVE-BLOCK-START\nname = rather_long_value('a')  # why\nrate = 1\n# EVOLVE-BLOCK-END\n"
    quoted = "name = rather_lnog_value('a')  # why"
    reply = block(f"{quoted}\nrate = 1", f"{quoted}\nrate = 2")
    assert applied(reply, text) == text.replace("rate = 1", "rate = 2")


ROWS = """# EVOLVE-BLOCK-START
def start(rows):
    # one row after another
    for row, count in enumerate((5, 5, 6, 5, 5)):
        rows.append(place("left", row, count) - 0.25)
    return rows
# EVOLVE-BLOCK-END
"""
LOOP = "    for row, count in enumerate((5, 5, 6, 5, 5)):"
PUSH = """        rows.append(place("left", row, count) - 0.25)"""


@pytest.mark.parametrize(
    ("line", "wrong", "said"),
    [
        (LOOP, LOOP.replace("6, 5, 5", "5, 6, 5"), "The quote has '5' where these lines have '6'."),
        (LOOP, LOOP.replace("5, 5))", "5, 5, 5))"), "The quote has '5' where these lines have nothing."),
        (PUSH, PUSH.replace("0.25", "0.26"), "The quote has '0.26' where these lines have '0.25'."),
        (PUSH, PUSH.replace("left", "lift"), "The quote has '\"lift\"' where these lines have '\"left\"'."),
        (PUSH, PUSH.replace(" - ", " + "), "The quote has '+' where these lines have '-'."),
        (PUSH, PUSH.replace("row,", "row1,"), "The quote has 'row1' where these lines have '-'."),
    ],
)
def test_a_quote_with_another_number_text_or_operator_is_not_found(line: str, wrong: str, said: str) -> None:
    assert wrong != line
    failure = failed(block(wrong, "    pass"), ROWS)
    assert failure.reason == "no_match"
    assert line in failure.message
    assert failure.message.endswith(said)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (LOOP, LOOP.replace("5, 5, 6, 5, 5", "5,5,6,5,5")),
        (LOOP, LOOP.replace("row,", "roww,")),
        (LOOP, LOOP.replace("((", "( (")),
        (LOOP, f"{LOOP}  # 5"),
        (f"    # one row after another\n{LOOP}", f"    # one row after an other: 1\n{LOOP}"),
        (f"{LOOP}\n{PUSH}", f"{LOOP}\n\n{PUSH}"),
        (PUSH, PUSH.replace("- 0.25)", "-0.25,)")),
    ],
)
def test_layout_comments_and_slips_in_names_are_forgiven(line: str, wrong: str) -> None:
    assert wrong not in ROWS
    assert applied(block(wrong, "    pass"), ROWS).replace(" ", "") == ROWS.replace(line, "pass").replace(
        " ", ""
    )


def test_lines_that_differ_only_in_a_number_are_told_apart() -> None:
    text = "# EVOLVE-BLOCK-START\nfirst_value_of_all = 1\npass\nfirst_value_of_all = 2\n# EVOLVE-BLOCK-END\n"
    assert applied(block("first_valeu_of_all = 2", "x = 1"), text) == text.replace(
        "first_value_of_all = 2", "x = 1"
    )
    assert failed(block("first_value_of_all = 3", "x = 1"), text).reason == "no_match"


def test_likeness_never_decides_between_two_places() -> None:
    text = "# EVOLVE-BLOCK-START\nfirst_value_of_all = 1\npass\nfirst_value_of_oll = 1\n# EVOLVE-BLOCK-END\n"
    failure = failed(block("first_value_of_ull = 1", "x = 1"), text)
    assert failure.reason == "ambiguous"


def test_several_places_are_shown_with_their_lines() -> None:
    failure = failed(block("    scale = 1.0", "    scale = 2.0"))
    assert failure.reason == "ambiguous"
    assert "7 |     scale = 1.0" in failure.message
    assert "12 |     scale = 1.0" in failure.message


def test_no_match_shows_the_nearest_lines_with_numbers() -> None:
    failure = failed(block("    return scale * radius", BETTER))
    assert failure.reason == "no_match"
    assert "8 |     return scale * math.pi * radius**2" in failure.message


def test_immutable_text_is_refused_and_the_mutable_lines_are_named() -> None:
    failure = failed(block("LIMIT = 3", "LIMIT = 4"))
    assert failure.reason == "immutable"
    assert "lines 6-13" in failure.message


def test_mutable_text_wins_over_equal_immutable_text() -> None:
    text = "x = 1\n# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n"
    assert (
        applied(block("x = 1", "x = 2"), text) == "x = 1\n# EVOLVE-BLOCK-START\nx = 2\n# EVOLVE-BLOCK-END\n"
    )


def test_a_quote_may_reach_over_a_marker_line_that_stays() -> None:
    quoted = "# EVOLVE-BLOCK-START\ndef area(radius):"
    assert applied(block(quoted, quoted + "\n    # circle")) == SOURCE.replace(
        "def area(radius):", "def area(radius):\n    # circle"
    )


@pytest.mark.parametrize(
    "new", ["def area(radius):", "# EVOLVE-BLOCK-START\n# EVOLVE-BLOCK-START\ndef area(radius):"]
)
def test_a_quote_over_a_marker_line_that_changes_is_refused(new: str) -> None:
    assert failed(block("# EVOLVE-BLOCK-START\ndef area(radius):", new)).reason == "immutable"


@pytest.mark.parametrize("marker", ["# EVOLVE-BLOCK-END", "    ## EVOLVE-BLOCK-START now"])
def test_new_text_with_a_marker_is_refused(marker: str) -> None:
    assert failed(block(RETURN, f"{BETTER}\n{marker}")).reason == "markers"


def test_an_empty_search_fills_an_empty_region_only() -> None:
    text = "# EVOLVE-BLOCK-START\n\n# EVOLVE-BLOCK-END\n"
    reply = "<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE"
    assert applied(reply, text) == "# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n"
    assert failed(reply).reason == "malformed"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("I would rather not.", "no_patch"),
        ("", "no_patch"),
        (f"<<<<<<< SEARCH\n{RETURN}\n=======\n{BETTER}", "malformed"),
        (f"<<<<<<< SEARCH\n{RETURN}\n>>>>>>> REPLACE", "malformed"),
        (block(RETURN, RETURN), "no_change"),
        (block(RETURN, BETTER) * 101, "too_large"),
        ("x" * 2_000_001, "too_large"),
    ],
)
def test_replies_that_are_no_patch_say_why(reply: str, reason: str) -> None:
    assert failed(reply).reason == reason


def test_line_ends_and_a_missing_last_one_are_kept() -> None:
    text = "a = 1\r\nb = 2\r\nc = 3"
    assert (
        applied(block("b = 2", "b = 4\nd = 5"), text, mutable="whole") == "a = 1\r\nb = 4\r\nd = 5\r\nc = 3"
    )
    assert (
        applied(block("c = 3", "c = 4\nd = 5"), text, mutable="whole") == "a = 1\r\nb = 2\r\nc = 4\r\nd = 5"
    )


def test_more_arrows_keep_arrows_in_the_text_apart() -> None:
    text = "# EVOLVE-BLOCK-START\nTitle\n=======\nbody\n# EVOLVE-BLOCK-END\n"
    assert applied(block("Title\n=======\nbody", "Name\n=======\nbody", 8), text) == text.replace(
        "Title", "Name"
    )


def test_files_are_named_above_the_blocks() -> None:
    both = Program.of({"a.py": "# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n", "b.py": "y = 1\n"})
    both = both.replace("b.py", both.source)
    two = task("a.py", "b.py")
    result = apply_search_replace(both, "file: b.py\n```\n" + block("x = 1", "x = 2") + "```", two)
    assert isinstance(result, Program)
    assert (result.text("a.py"), "x = 2" in result.text("b.py")) == (both.source, True)
    unnamed = apply_search_replace(both, block("x = 1", "x = 2"), two)
    assert isinstance(unnamed, PatchFailure)
    assert unnamed.reason == "ambiguous"
    unknown = apply_search_replace(both, "# file: c.py\n" + block("x = 1", "x = 2"), two)
    assert isinstance(unknown, PatchFailure)
    assert unknown.reason == "unknown_file"


@pytest.mark.parametrize("count", [6, 400])
def test_likeness_in_repeating_text_is_ambiguous(count: int) -> None:
    text = "# EVOLVE-BLOCK-START\n" + "value = step(value)\n" * count + "# EVOLVE-BLOCK-END\n"
    assert (
        failed(block("value = step(value)\n" * 4 + "value = stepp(value)", "pass"), text).reason
        == "ambiguous"
    )
