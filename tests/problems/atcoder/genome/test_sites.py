import pytest

from speciate.problems.atcoder.genome.sites import cpp_sites, faults

CODE = """
int f(int a) {
    // 7 stays
    const char* text = "8";
    double x = -1.5f + 2.0e-3 * a - 10LL;
    if (a < 3) {
        x += 4;
        a--;
    }
    for (int k = 0x10; k < 017; k++)
        x *= 2;
    return (int)x;
}
"""


def whole(text: str) -> tuple[tuple[int, int], ...]:
    return ((0, len(text.encode())),)


def test_constants_leave_text_comments_suffixes_and_other_bases_alone() -> None:
    sites = cpp_sites(CODE, whole(CODE))
    assert [number.value for number in sites.numbers] == [-1.5, 0.002, 10, 3, 4, 2]
    assert sites.text(sites.numbers[0].span) == b"-1.5"


def test_statements_are_whole_and_grouped_by_block() -> None:
    sites = cpp_sites(CODE, whole(CODE))
    found = [sites.text(s.span).strip() for s in sites.statements if s.movable]
    assert b"x += 4;" in found
    assert any(text.startswith(b"if (a < 3) {") and text.endswith(b"}") for text in found)
    assert any(text.startswith(b"for") and text.endswith(b"x *= 2;") for text in found)
    assert not any(text.startswith((b"return", b"double")) for text in found)
    assert len({s.block for s in sites.statements}) == 2


def test_nothing_outside_the_mutable_text_is_a_site() -> None:
    start = CODE.index("x += 4;")
    sites = cpp_sites(CODE, ((start, start + 7),))
    assert [number.value for number in sites.numbers] == [4]
    assert not sites.statements


@pytest.mark.parametrize(
    ("text", "sound"), [(CODE, True), (CODE.replace("a < 3", "a <"), False), ("int f( {", False)]
)
def test_what_does_not_parse_has_faults(text: str, sound: bool) -> None:
    assert (faults(text.encode()) == 0) is sound
