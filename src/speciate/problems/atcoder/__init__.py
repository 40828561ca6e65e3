"""AtCoder's heuristic contests, and contests of a user's own: C++ from stdin to stdout."""

from speciate.problems.atcoder.task import load, load_contest

__all__ = ["load", "load_contest"]
