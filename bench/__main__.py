"""Measures speciate: prints tables and writes JSON under bench/results.

python -m bench [NAME ...] [--quick]
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Protocol

from bench import (
    archives,
    chance,
    corewar_bad_input,
    corewar_step,
    engine,
    ensemble,
    exchange,
    genetic,
    latency,
    llm_memory,
    mars,
    mars_differential,
    mars_oracle,
    novelty,
    reporting,
    sandbox,
    simulate,
    startup,
    store_size,
    topologies,
    whole,
)
from bench.report import Report, machine, show, write


class Bench(Protocol):
    """Measures something; `quick` means fewer and shorter runs, for a look and not for a claim."""

    def __call__(self, *, quick: bool = False) -> Report: ...


BENCHES: Mapping[str, Bench] = {
    "startup": startup.run,
    "engine": engine.run,
    "whole": whole.run,
    "latency": latency.run,
    "llm_memory": llm_memory.run,
    "sandbox": sandbox.run,
    "archives": archives.run,
    "store": store_size.run,
    "exchange": exchange.run,
    "simulate": simulate.run,
    "topologies": topologies.run,
    "ensemble": ensemble.run,
    "genetic": genetic.run,
    "novelty": novelty.run,
    "chance": chance.run,
    "report": reporting.run,
    "corewar_bad_input": corewar_bad_input.run,
    "corewar_step": corewar_step.run,
    "mars": mars.run,
    "mars_differential": mars_differential.run,
    "mars_oracle": mars_oracle.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures speciate.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}; all by default")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter runs")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(BENCHES)):
        parser.error(f"there is no bench {', '.join(unknown)}; known are {', '.join(BENCHES)}")
    for name in arguments.names or BENCHES:
        before = machine()
        report = BENCHES[name](quick=arguments.quick)
        show(report)
        print(f"  written to {write(report, before, quick=arguments.quick)}", flush=True)


if __name__ == "__main__":
    main()
