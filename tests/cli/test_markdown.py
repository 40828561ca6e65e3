from speciate.cli.markdown import terminal_lines
from speciate.reports import plain
from speciate.reports.tables import table


def test_tables_are_aligned_and_marks_are_gone() -> None:
    page = "A *branch* is **one**.\n\n" + table(("who", "many "), [("a|b", "5"), ("c", "100")]).replace(
        "a|b", r"a\|b"
    )
    assert terminal_lines(page) == ["A branch is one.", "", "  who  many", "  a|b     5", "  c     100"]


def test_foreign_text_is_shown_as_it_was() -> None:
    text = r"x_1 *= [2] | `y` <b> #1 ~ \n"
    rows = table(("text",), [(plain(text),)])
    assert terminal_lines(rows)[1] == f"  {text}"
