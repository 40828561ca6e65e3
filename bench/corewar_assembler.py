"""Compares the Redcode assembler with Debian's pmars on mutated sources, and times it.

    python -m bench.corewar_assembler --count 2000 --seed 1

Needs ``pmars`` on the path or in /usr/games. Prints the sources on which the two disagree. Sources in which a
mode touches a modifier (``SPL.A<6,>-79``) are left out: pmars reads digits of other lines there.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from speciate.problems.corewar.redcode import RedcodeError, assemble

_DATA = Path(__file__).parents[1] / "tests/problems/corewar/data"
_CHARACTERS = "abcxyzMOVDJNSPLIFXAB0123456789 ,.;:&()+-*/%<>!#$@{}|\n\t_`E"
_CELL = re.compile(r"(START)?\s+(\w{3}\.\w{1,2})\s+(\S)\s*(-?\d+),\s+(\S)\s*(-?\d+)\s*")
_TOUCHING = re.compile(r"\.(AB|BA|[ABFXI])[#$*@{<}>]", re.IGNORECASE)

Outcome = tuple[int, list[str]] | None
"""Start and load file, or None if the source is refused."""


def oracle(program: str, source: str) -> Outcome:
    """Returns what pmars makes of a source.

    Raises:
        subprocess.TimeoutExpired: it hangs, as it does on very large numbers.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".red") as file:
        file.write(source)
        file.flush()
        done = subprocess.run([program, "-r", "0", file.name], capture_output=True, timeout=5, check=False)
    matches = [
        match for line in done.stdout.decode("latin-1").splitlines() if (match := _CELL.fullmatch(line))
    ]
    if done.returncode or not matches:
        return None
    start = next((at for at, match in enumerate(matches) if match[1]), 0)
    return start, [f"{match[2]} {match[3]}{match[4]},{match[5]}{match[6]}" for match in matches]


def ours(source: str) -> Outcome:
    """Returns what `assemble` makes of a source."""
    try:
        warrior = assemble(source)
    except RedcodeError:
        return None
    return warrior.start, [each.text(warrior.core_size) for each in warrior.code]


def sources() -> list[str]:
    """Returns the sources of the conformance vectors that need no options."""
    vectors = map(json.loads, (_DATA / "asm.jsonl").read_text().splitlines())
    battles = map(json.loads, (_DATA / "battles.jsonl").read_text().splitlines())
    plain = {vector["source"] for vector in vectors if not vector["args"]}
    return sorted(plain | {source for battle in battles for source in battle["warriors"]})


def mutated(source: str, rng: random.Random) -> str:
    """Returns a source with one to three characters deleted, inserted, replaced or swapped."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(source) - 1)
        new, keep = rng.choice((("", 1), (rng.choice(_CHARACTERS), 0), (rng.choice(_CHARACTERS), 1), ("", 2)))
        swapped = source[at + 1] + source[at] if keep == 2 else new
        source = source[:at] + swapped + source[at + keep :]
    return source


def seconds(count: int) -> float:
    """Returns the CPU seconds that assembling `count` sources of about 50 lines takes."""
    long = [source for source in sources() if 40 <= source.count("\n") <= 60] or sources()
    began = time.process_time()
    for at in range(count):
        ours(long[at % len(long)])
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    program = shutil.which("pmars") or shutil.which("/usr/games/pmars")
    if program is None:
        sys.exit("pmars is missing: apt-get install pmars")
    rng = random.Random(options.seed)
    pool = sources()
    compared = accepted = apart = 0
    while compared < options.count:
        source = mutated(rng.choice(pool), rng)
        if _TOUCHING.search(source):
            continue
        compared += 1
        try:
            expected = oracle(program, source)
        except subprocess.TimeoutExpired:
            continue
        accepted += expected is not None
        if expected != ours(source):
            apart += 1
            print(f"--- apart: {source!r}\n    pmars {expected}\n    ours  {ours(source)}")
    print(f"{compared} compared, {accepted} accepted by pmars, {apart} apart")
    print(f"300 warriors of about 50 lines: {seconds(300):.2f} s of CPU")


if __name__ == "__main__":
    main()
