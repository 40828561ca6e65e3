"""One table, written as Markdown, LaTeX or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from speciate.reports.tables import plain
from speciate.reports.tables import table as markdown_table

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of plain text.

    Attributes:
        caption: what it shows, one sentence.
        head: names of the columns; those that end in a space hold numbers and lean to the right.
        rows: one text a column.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def as_markdown(table: Table) -> str:
    """Returns the caption and the table in Markdown."""
    rows = [[plain(cell) for cell in row] for row in table.rows]
    return f"{plain(table.caption, most=500)}\n\n{markdown_table(table.head, rows)}"


def as_latex(table: Table) -> str:
    """Returns a floating ``table`` of LaTeX that needs no package."""
    columns = "".join("r" if name.endswith(" ") else "l" for name in table.head)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_latex(table.caption)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\hline",
        _latex_row([name.strip() for name in table.head]),
        r"\hline",
        *(_latex_row(row) for row in table.rows),
        r"\hline",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def as_html(table: Table) -> str:
    """Returns a ``table`` element."""
    right = [name.endswith(" ") for name in table.head]
    head = "".join(_cell("th", name.strip(), lean) for name, lean in zip(table.head, right, strict=True))
    lines = [
        "<table>",
        f"<caption>{escape(table.caption)}</caption>",
        f"<thead><tr>{head}</tr></thead>",
        "<tbody>",
    ]
    for row in table.rows:
        cells = "".join(_cell("td", text, lean) for text, lean in zip(row, right, strict=True))
        lines.append(f"<tr>{cells}</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"])


def html_page(title: str, parts: Sequence[str]) -> str:
    """Returns a whole page that needs no other file.

    Args:
        title: plain text.
        parts: elements of HTML.
    """
    style = (
        "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        "table{border-collapse:collapse;margin:1.5em 0}"
        "caption{text-align:left;font-weight:bold;padding:.3em 0}"
        "th,td{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:left}.n{text-align:right}"
    )
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{style}</style>'
    body = "\n".join([f"<h1>{escape(title)}</h1>", *parts])
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def html_list(items: Sequence[str]) -> str:
    """Returns an unordered list of plain texts."""
    return "<ul>\n" + "\n".join(f"<li>{escape(item)}</li>" for item in items) + "\n</ul>"


def _cell(tag: str, text: str, right: bool) -> str:
    lean = ' class="n"' if right else ""
    return f"<{tag}{lean}>{escape(text)}</{tag}>"


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(_latex(cell) for cell in cells) + r" \\"
