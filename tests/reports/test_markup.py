from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.reports import Table, as_html, as_latex, as_markdown, html_list, html_page

TABLE = Table("Costs & more_of it.", ("name", "dollars "), (("a<b", "$1"), ("x|y", "–")))


def test_markdown_leans_numbers_to_the_right() -> None:
    lines = as_markdown(TABLE).splitlines()
    assert lines[2:] == ["| name | dollars |", "| --- | ---: |", r"| a\<b | $1 |", r"| x\|y | – |"]


def test_latex_escapes_what_means_something() -> None:
    text = as_latex(TABLE)
    assert r"\caption{Costs \& more\_of it.}" in text
    assert r"\begin{tabular}{lr}" in text
    assert r"a\textless{}b & \$1 \\" in text
    assert text.count(r"\hline") == 3


class Collected(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30))
def test_html_shows_any_text_and_obeys_none(text: str) -> None:
    parser = Collected()
    parser.feed(as_html(Table(text, (text,), ((text,),))))
    parser.close()
    assert set(parser.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert "".join(parser.texts).split() == " ".join([text] * 3).split()


def test_a_page_stands_alone() -> None:
    page = html_page("A & B", [as_html(TABLE), html_list(["not <shown>"])])
    assert "<title>A &amp; B</title>" in page
    assert "<li>not &lt;shown&gt;</li>" in page
    assert not re.search(r"(src|href)=", page)


@pytest.mark.parametrize("render", [as_markdown, as_latex, as_html])
def test_a_table_without_rows_is_a_table(render: object) -> None:
    assert callable(render)
    assert "name" in render(Table("Nothing.", ("name",), ()))
