"""What models are told of Redcode, what a grammar lets them write, and how their replies are read."""

from speciate.problems.corewar.prompts.grammar import redcode_grammar
from speciate.problems.corewar.prompts.load import COMPACT, redcode_prompts
from speciate.problems.corewar.prompts.reading import warrior_reader

__all__ = ["COMPACT", "redcode_grammar", "redcode_prompts", "warrior_reader"]
