from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from speciate.problems.corewar.genome import Genome, genome_of, write
from speciate.problems.corewar.genome.text import LONGEST_LINE, MOST_LINES
from speciate.problems.corewar.reading import read
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS

DRQ = PRESETS["drq"]
DWARF = """;redcode
;name Dwarf
;author A. K.
;strategy bombs
;strategy every fourth cell
; a comment that goes
        ORG go
bomb    DAT #0, #0
go      ADD.AB #4, bomb
        MOV.I bomb, @bomb
        JMP go
"""


def test_a_child_inherits_what_its_parent_says_of_itself() -> None:
    parent = read(DWARF, DRQ)
    assert write(genome_of(parent), parent) == (
        ";name Dwarf\n;author A. K.\n;strategy bombs\n;strategy every fourth cell\n;assert CORESIZE == 8000\n"
        "ORG 1\nDAT.F #0,#0\nADD.AB #4,$-1\nMOV.I $-2,@-2\nJMP.B $-2,$0\n"
    )


def test_writing_and_reading_again_gives_the_same_text() -> None:
    parent = read(DWARF, DRQ)
    text = write(genome_of(parent), parent)
    again = read(text, DRQ)
    assert write(genome_of(again), again) == text


def test_a_p_space_number_is_kept() -> None:
    parent = read("PIN 7\n" + DWARF.replace(";redcode\n", ""), DRQ)
    child = assemble(write(Genome(parent.code[:2]), parent), DRQ)
    assert (child.pin, child.start, len(child)) == (7, 0, 2)


def test_essays_are_cut_short() -> None:
    essay = "".join(f";strategy {'x' * 1000} {k}\n" for k in range(50))
    parent = read(DWARF + essay, DRQ)
    lines = write(genome_of(parent), parent).splitlines()
    assert sum(line.startswith(";strategy") for line in lines) == MOST_LINES
    assert max(map(len, lines)) <= LONGEST_LINE + len(";strategy ")


@given(st.text(max_size=60), st.text(max_size=60))
@settings(deadline=None)
def test_no_remark_can_break_a_child(name: str, strategy: str) -> None:
    """Remarks are model text: a line end in one must not become code."""
    plain = read(DWARF, DRQ)
    parent = type(plain)(plain.code, plain.start, name=name, strategy=(strategy,))
    assert genome_of(read(write(genome_of(parent), parent), DRQ)) == genome_of(plain)
