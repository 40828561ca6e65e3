from __future__ import annotations

from speciate.problems.corewar.generators.draft import Draft, Line
from speciate.problems.corewar.generators.extras import together
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import Settings

DWARF = Draft(
    "bomber",
    ("Throws.",),
    (
        Line("mov.i $bomb, @bomb", "throw", "a comment"),
        Line("add.ab #4, $bomb"),
        Line("jmp.b $throw"),
        Line("dat.f #0, #4", "bomb"),
    ),
    "throw",
)


def test_a_draft_becomes_source_with_its_family() -> None:
    warrior = assemble(DWARF.source(Settings(), "Dwarf"), Settings())
    assert warrior.name == "Dwarf"
    assert warrior.strategy == ("family: bomber", "Throws.")
    assert warrior.listing() == ("ORG 0\nMOV.I $3,@3\nADD.AB #4,$2\nJMP.B $-2,$0\nDAT.F #0,#4\n")


def test_new_labels_change_nothing_else() -> None:
    code = assemble(DWARF.source(Settings(), "a"), Settings()).code
    assert assemble(DWARF.relabelled("7").source(Settings(), "b"), Settings()).code == code


def test_two_drafts_stand_side_by_side() -> None:
    both = together(DWARF, DWARF)
    code = assemble(both.source(Settings(), "Both"), Settings()).code
    alone = assemble(DWARF.source(Settings(), "One"), Settings()).code
    assert code[1:5] == code[5:9] == alone
    assert (code[0].opcode.name, code[0].a) == ("SPL", 5)
