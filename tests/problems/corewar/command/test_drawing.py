from __future__ import annotations

from rich.text import Text

from speciate.problems.corewar.command.drawing import COLOURS, Style, draw, field
from speciate.problems.corewar.command.picture import Picture, picture
from speciate.problems.corewar.mars import Glance

SEEN = picture(
    Glance(9, (0, 0, 0, -1, 1, -1, -1, -1, -1), ((1,), ()), (None, 4)),
    columns=4,
    rows=3,
)


def drawn(seen: Picture, names: list[str], *, colours: bool, height: int = 20, width: int = 60) -> Text:
    style = Style.of(len(names), colours=colours)
    return draw(seen, names, "cycle 9", width=width, height=height, style=style)


def test_without_colours_warriors_are_letters_and_capitals_where_they_run() -> None:
    text = drawn(SEEN, ["Imp", "Dwarf"], colours=False)
    assert text.plain.splitlines() == [
        "cycle 9",
        "aAa·",
        "b···",
        "·   ",
        "a Imp    1 process    3 cells               alive",
        "b Dwarf  0 processes  1 cell   dead since cycle 4",
    ]
    assert not {str(span.style) for span in text.spans} - {"", "dim"}


def test_with_colours_a_warrior_is_a_colour_and_bright_where_it_runs() -> None:
    text = drawn(SEEN, ["Imp", "Dwarf"], colours=True)
    assert text.plain.splitlines()[1:4] == ["█●█·", "█···", "·   "]
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert styles["●"] == f"bold bright_{COLOURS[0]}"
    assert styles["·"] == "dim"


def test_shades_show_how_many_cells_are_held() -> None:
    seen = picture(Glance(0, (0, -1, -1, -1, 0, 0, 0, 0), ((),), (1,)), columns=2, rows=1)
    assert drawn(seen, ["Imp"], colours=True).plain.splitlines()[1] == "▒█"


def test_letters_help_where_colours_do_not_suffice() -> None:
    assert Style.of(len(COLOURS), colours=True).letters is False
    assert Style.of(len(COLOURS) + 1, colours=True).letters is True
    assert Style.of(1, colours=False).letters is True


def test_the_legend_leaves_room_for_the_map_and_says_what_is_missing() -> None:
    seats = 64
    glance = Glance(0, tuple(range(seats)), tuple((seat,) for seat in range(seats)), (None,) * seats)
    for height in (3, 10, 24, 50, 100):
        columns, rows = field(60, height, seats)
        names = [f"w{seat}" for seat in range(seats)]
        text = drawn(picture(glance, columns, rows), names, colours=True, height=height)
        lines = text.plain.splitlines()
        assert len(lines) <= height
        shown = sum(" process " in line for line in lines)
        assert shown == seats or lines[-1] == f"  and {seats - shown} more"


def test_a_narrow_window_cuts_lines() -> None:
    lines = drawn(SEEN, ["核心" * 20, "x"], colours=False, width=10).plain.splitlines()
    assert all(len(line) <= 10 for line in lines)
