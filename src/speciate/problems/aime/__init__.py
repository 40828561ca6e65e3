"""Agent scaffolds for contest mathematics: programs that ask a model up to ten times about one problem."""

from speciate.problems.aime.task import load

__all__ = ["load"]
