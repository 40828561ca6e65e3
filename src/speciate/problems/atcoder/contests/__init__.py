"""The contests: what each one gives a program, and what it makes of the answer."""

from speciate.problems.atcoder.contests.balance import BALANCE
from speciate.problems.atcoder.contests.contest import Contest, Verdict, Wrong
from speciate.problems.atcoder.contests.purse_seine import PURSE_SEINE

CONTESTS = {contest.name: contest for contest in (PURSE_SEINE, BALANCE)}

__all__ = ["BALANCE", "CONTESTS", "PURSE_SEINE", "Contest", "Verdict", "Wrong"]
