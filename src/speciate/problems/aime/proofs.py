"""Proves the answers of the shipped problems by brute force: ``python -m speciate.problems.aime.proofs``.

Each function counts or tries what its problem asks for, in the plainest way there is, and returns the answer.
It uses no theorem that would spare it the work.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

from speciate.problems.aime.problems import SHIPPED, read_problems


def _lowest_terms(value: Fraction) -> int:
    """Returns m + n for a value of m/n in lowest terms."""
    return value.numerator + value.denominator


def _square(n: int) -> bool:
    root = math.isqrt(n)
    return root * root == n


def _divisors(n: int) -> int:
    return sum(n % d == 0 for d in range(1, n + 1))


def _digits(n: int) -> int:
    return sum(map(int, str(n)))


def quadratic_residue() -> int:
    """n up to 2000 with 7 | n² + n + 1."""
    return sum((n * n + n + 1) % 7 == 0 for n in range(1, 2001))


def self_powers() -> int:
    """1¹ + 2² + … + 50⁵⁰ modulo 1000."""
    return sum(pow(k, k, 1000) for k in range(1, 51)) % 1000


def sum_divides_product() -> int:
    """Pairs a < b up to 100 whose sum divides their product."""
    return sum(a * b % (a + b) == 0 for a, b in combinations(range(1, 101), 2))


def three_colours() -> int:
    """Words of length 8 over three letters, all used, no two equal neighbours."""
    words = product("abc", repeat=8)
    return sum(len(set(word)) == 3 and all(a != b for a, b in pairwise(word)) for word in words)


def square_rolls() -> int:
    """Probability that four rolls of a die have a square product."""
    rolls = [math.prod(dice) for dice in product(range(1, 7), repeat=4)]
    return _lowest_terms(Fraction(sum(map(_square, rolls)), len(rolls)))


def visible_points() -> int:
    """Points with coprime coordinates within distance √300 of the origin."""
    span = range(-18, 19)
    return sum(x * x + y * y <= 300 and math.gcd(x, y) == 1 for x in span for y in span)


def subset_sums() -> int:
    """Subsets of {1, …, 12} whose sum is a multiple of 5, the empty one included."""
    sets = (s for size in range(13) for s in combinations(range(1, 13), size))
    return sum(sum(s) % 5 == 0 for s in sets)


def near_home() -> int:
    """Permutations of 1, …, 8 that move nothing by more than 2."""
    return sum(all(abs(i - p) <= 2 for i, p in enumerate(order)) for order in permutations(range(8)))


def domino_tilings() -> int:
    """Domino tilings of a 4 × 6 board."""
    return _tilings(frozenset((row, column) for row in range(4) for column in range(6)))


def _tilings(free: frozenset[tuple[int, int]]) -> int:
    if not free:
        return 1
    row, column = min(free)
    neighbours = ((row + 1, column), (row, column + 1))
    return sum(_tilings(free - {(row, column), other}) for other in neighbours if other in free)


def twelve_divisors() -> int:
    """n up to 1000 with exactly 12 divisors."""
    return sum(_divisors(n) == 12 for n in range(1, 1001))


def whole_triangles() -> int:
    """Triangles with whole sides and perimeter 90, up to congruence."""
    return sum(a + b > 90 - a - b >= b for a in range(1, 91) for b in range(a, 91))


def heron() -> int:
    """Largest area, a whole number, of a triangle with whole sides and perimeter at most 60."""
    best = 0
    for a, b, c in product(range(1, 60), repeat=3):
        perimeter = a + b + c
        if a <= b <= c < a + b and perimeter <= 60:
            sixteen = perimeter * (-a + b + c) * (a - b + c) * (a + b - c)
            if sixteen % 16 == 0 and _square(sixteen // 16):
                best = max(best, math.isqrt(sixteen // 16))
    return best


def boxes() -> int:
    """Ordered triples of positive integers with product 2520."""
    return sum(2520 % (a * b) == 0 for a in range(1, 2521) if 2520 % a == 0 for b in range(1, 2520 // a + 1))


def last_digits() -> int:
    """Last three digits of 3^2026 + 7^2026."""
    return int(str(3**2026 + 7**2026)[-3:])


def detours() -> int:
    """Shortest paths from (0, 0) to (6, 6) past neither (2, 2) nor (4, 4)."""
    count = 0
    for ups in combinations(range(12), 6):
        x = y = 0
        passed = False
        for step in range(12):
            x, y = (x, y + 1) if step in ups else (x + 1, y)
            passed = passed or (x, y) in ((2, 2), (4, 4))
        count += not passed
    return count


def peaceful_kings() -> int:
    """Ways to place three kings on a 4 × 6 board, none next to another."""
    board = list(product(range(4), range(6)))
    return sum(
        all(max(abs(a - c), abs(b - d)) > 1 for (a, b), (c, d) in combinations(kings, 2))
        for kings in combinations(board, 3)
    )


def obtuse() -> int:
    """Obtuse triangles on the corners of a regular 18-gon."""
    return sum(
        max(b - a, c - b, 18 - c + a) > 9 for a, b, c in combinations(range(18), 3)
    )  # an angle is half the arc it looks at, and that of 90° is 9 sides


def expected_largest() -> int:
    """Expected product of the least and the largest of three numbers from 1 to 9."""
    draws = list(combinations(range(1, 10), 3))
    return _lowest_terms(Fraction(sum(draw[0] * draw[-1] for draw in draws), len(draws)))


def digit_sums() -> int:
    """n up to 5000 that have the digit sum of 2n."""
    return sum(_digits(n) == _digits(2 * n) for n in range(1, 5001))


def four_bowls() -> int:
    """Ways to put 14 equal balls into four different bowls that hold 6 each."""
    return sum(sum(bowls) == 14 for bowls in product(range(7), repeat=4))


def fibonacci() -> int:
    """F(2026) modulo 1000."""
    a, b = 0, 1
    for _ in range(2026):
        a, b = b, a + b
    return a % 1000


def two_squares() -> int:
    """n up to 500 of the form x² + 2y²."""
    return len({x * x + 2 * y * y for x in range(24) for y in range(17)} & set(range(1, 501)))


def whole_roots() -> int:
    """Pairs (a, b), both at most 20 in size, for which x² + ax + b has two whole roots or a double one."""
    roots = range(-50, 51)  # beyond 40, x² is larger than 20|x| + 20
    found = {(-r - s, r * s) for r in roots for s in roots}
    return sum(abs(a) <= 20 and abs(b) <= 20 for a, b in found)


def round_table() -> int:
    """Seatings of seven at a round table, A next to neither B nor C; rotations count once."""
    count = 0
    for others in permutations("BCDEFG"):
        count += others[0] not in "BC" and others[-1] not in "BC"  # A sits before the first of them
    return count


def no_three_alike() -> int:
    """Throws of a coin, 12 times, without three equal ones in a row."""
    return sum(
        not any(a == b == c for a, b, c in zip(throw, throw[1:], throw[2:], strict=False))
        for throw in product("HT", repeat=12)
    )


def sums_of_three() -> int:
    """Probability that three different numbers from 1 to 25 have a sum that 3 divides."""
    draws = [sum(draw) % 3 == 0 for draw in combinations(range(1, 26), 3)]
    return _lowest_terms(Fraction(sum(draws), len(draws)))


def primes_one_mod_four() -> int:
    """Sum of the primes below 100 that leave 1 modulo 4."""
    return sum(p for p in range(5, 100, 4) if _divisors(p) == 2)


def three_leaves() -> int:
    """Trees on six labelled corners with exactly three leaves."""
    edges = list(combinations(range(6), 2))
    return sum(_connected(tree) and _leaves(tree) == 3 for tree in combinations(edges, 5))


def _connected(edges: tuple[tuple[int, int], ...]) -> bool:
    reached = {0}
    for _ in edges:
        reached |= {v for edge in edges if reached & set(edge) for v in edge}
    return len(reached) == 6


def _leaves(edges: tuple[tuple[int, int], ...]) -> int:
    return sum(sum(corner in edge for edge in edges) == 1 for corner in range(6))


def twenty_five() -> int:
    """Ordered pairs of integers from 1 to 60 for which 25 divides x² + y²."""
    return sum((x * x + y * y) % 25 == 0 for x, y in product(range(1, 61), repeat=2))


def balanced_rows() -> int:
    """4 × 4 tables of 0 and 1, two ones in each row and each column, whose ends of one diagonal are equal."""
    rows = [row for row in product((0, 1), repeat=4) if sum(row) == 2]
    return sum(
        all(sum(column) == 2 for column in zip(*table, strict=True)) and table[0][0] == table[3][3]
        for table in product(rows, repeat=4)
    )


PROOFS: Mapping[str, Callable[[], int]] = {
    proof.__name__: proof
    for proof in (
        quadratic_residue,
        self_powers,
        sum_divides_product,
        three_colours,
        square_rolls,
        visible_points,
        subset_sums,
        near_home,
        domino_tilings,
        twelve_divisors,
        whole_triangles,
        heron,
        boxes,
        last_digits,
        detours,
        peaceful_kings,
        obtuse,
        expected_largest,
        digit_sums,
        four_bowls,
        fibonacci,
        two_squares,
        whole_roots,
        round_table,
        no_three_alike,
        sums_of_three,
        primes_one_mod_four,
        three_leaves,
        twenty_five,
        balanced_rows,
    )
}
"""The proof of each shipped problem, by the problem's name."""


def mistakes() -> Iterator[str]:
    """Yields a sentence for each shipped problem whose answer is not what its proof finds."""
    problems = {problem.name: problem for problem in read_problems(SHIPPED)}
    for name in sorted(PROOFS.keys() ^ problems.keys()):
        yield f"{name}: a problem and a proof belong together, and one of them is missing"
    for name, proof in PROOFS.items():
        if name in problems and (found := proof()) != problems[name].answer:
            yield f"{name}: the file says {problems[name].answer}, the proof finds {found}"


def main() -> int:
    """Prints what is wrong and returns the exit code."""
    wrong = list(mistakes())
    print("\n".join(wrong) or f"All {len(PROOFS)} answers are proved.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
