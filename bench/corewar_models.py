"""How well a model writes Redcode: what assembles, how fast, how varied, and what lives through a battle.

python -m bench.corewar_models --model 'local:NAME@http://127.0.0.1:8080/v1?prompts=compact&grammar=on' [...]

Each model is asked for new warriors and for rewrites of built-in ones, one attempt each, under the rules of
Digital Red Queen. The task offers its grammar; whether a model is held to it is said in its spec. With
``--record FILE`` the replies are kept, with ``--replay FILE`` they stand in for the models.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from bench.report import Report, Row, machine, show, write

from speciate.llm import LLMConfig, LLMPool
from speciate.mutation import Assignment, ModelProposer, SamplingConfig
from speciate.problems.corewar import battle
from speciate.problems.corewar.prompts import redcode_grammar, redcode_prompts, warrior_reader
from speciate.problems.corewar.redcode import assemble
from speciate.problems.corewar.settings import PRESETS
from speciate.problems.corewar.warrior import Warrior
from speciate.problems.corewar.warriors import fitting, load_builtin
from speciate.records import Choice, Entry, Outcome, Program, Proposal, Rejected, Reply, Request, Result
from speciate.seeds import stream
from speciate.tasks import EvaluationSpec, ObjectiveSpec, ProgramSpec, Task, TaskSpec
from speciate.testing.gbnf import draw_sentence, parse_grammar

RULES = PRESETS["drq"]
OPERATORS = ("new", "full")
FILE = "warrior.red"
ROUNDS = 20
CHANCE = 200


@dataclass(slots=True)
class Replies:
    """A `ModelGateway` without a budget that keeps every reply."""

    pool: LLMPool
    kept: list[Reply] = field(default_factory=list)

    async def ask(self, model: str, request: Request, *, ordinal: int, attempt: int, purpose: str) -> Reply:
        reply = await self.pool.complete(model, request)
        if reply.error is not None:
            raise SystemExit(f"{model}: {reply.error}")
        self.kept.append(reply)
        return reply


@dataclass(frozen=True, slots=True)
class Trial:
    """All attempts of one model with one operator."""

    replies: Sequence[Reply]
    warriors: Sequence[Warrior]
    rejected: Counter[str]
    mended: int

    @property
    def distinct(self) -> Sequence[Warrior]:
        return list({(warrior.code, warrior.start): warrior for warrior in self.warriors}.values())


def core_war(lines: int) -> Task:
    """Returns a task of Core War that nobody evaluates; its grammar allows `lines` instructions."""
    spec = TaskSpec(
        name="corewar",
        description="Write a warrior that outlives and kills as many others as it can.",
        language="redcode",
        objectives=(ObjectiveSpec(name="fitness"),),
        program=ProgramSpec(files=(FILE,), mutable="whole"),
        evaluation=EvaluationSpec(kind="trusted"),
    )
    return Task(
        spec,
        Program.of({FILE: "MOV.I $0, $1\n"}),
        prompts=redcode_prompts(RULES),
        grammar=redcode_grammar(RULES, lines, remark=False),
        read_reply=warrior_reader(RULES),
    )


def parents(lines: int) -> Sequence[str]:
    """Returns the load files of built-in warriors that are short enough."""
    files = (file for file in fitting(load_builtin(), RULES) if not file.path.startswith("heldout"))
    warriors = (file.assemble(RULES) for file in files)
    return [warrior.listing() for warrior in warriors if len(warrior) <= lines]


async def trial(spec: str, operator: str, pool: LLMPool, arguments: argparse.Namespace) -> Trial:
    """Makes one attempt each for so many candidates."""
    sampling = SamplingConfig(temperatures=(0.8,), max_tokens=arguments.max_tokens)
    proposer, replies = ModelProposer(spec, sampling=sampling), Replies(pool)
    task, sources = core_war(arguments.lines), parents(arguments.lines)
    made: list[Proposal | Rejected] = []
    for ordinal in range(arguments.proposals):
        outcome = Outcome(result=Result(objectives=(0.5,)))
        parent = Entry(0, Program.of({FILE: sources[ordinal % len(sources)]}), outcome)
        made.append(await proposer.propose(_assignment(task, operator, parent, ordinal, replies, spec)))
    proposals = [one for one in made if isinstance(one, Proposal)]
    return Trial(
        replies=replies.kept,
        warriors=[assemble(proposal.program.source, RULES) for proposal in proposals],
        rejected=Counter(one.reason for one in made if isinstance(one, Rejected)),
        mended=sum("[mended" in proposal.summary for proposal in proposals),
    )


def _assignment(
    task: Task, operator: str, parent: Entry, ordinal: int, replies: Replies, spec: str
) -> Assignment:
    new = operator == "new"
    choice = Choice(ordinal, 0, 0, 0, operator, spec, parents=() if new else (parent.ordinal,))
    return Assignment(
        task=task,
        choice=choice,
        parents=(parent,),
        inspirations=(),
        attempt=0,
        rejections=(),
        gateway=replies,
        random=partial(stream, 0, ordinal),
    )


def survivors(warriors: Sequence[Warrior]) -> int:
    """Returns how many are alive after most of their rounds against the imp."""
    imp = assemble("MOV.I $0, $1\n", RULES)
    fought = (battle([warrior, imp], RULES, rounds=ROUNDS).results[0] for warrior in warriors)
    return sum(wins + ties > ROUNDS / 2 for wins, ties in fought)


def rows(name: str, made: Trial, proposals: int) -> list[Row]:
    tokens = sum(reply.usage.output_tokens for reply in made.replies)
    seconds = sum(reply.seconds for reply in made.replies)
    opcodes = [len(warrior.opcodes) for warrior in made.distinct]
    why = ", ".join(f"{reason} {count}" for reason, count in made.rejected.most_common())
    return [
        Row(f"{name}: assemble", len(made.warriors) / proposals, note=why or "all"),
        Row(f"{name}: of these mended", made.mended / max(1, len(made.warriors))),
        Row(f"{name}: of these distinct", len(made.distinct) / max(1, len(made.warriors))),
        Row(f"{name}: opcodes of a distinct one", float(np.mean(opcodes)) if opcodes else 0.0),
        Row(f"{name}: distinct ones that survive the imp", survivors(made.distinct) / max(1, len(opcodes))),
        Row(f"{name}: reply", tokens / len(made.replies), "tokens"),
        Row(f"{name}: speed", tokens / seconds, "tokens/s"),
    ]


def chance(lines: int, count: int) -> list[Row]:
    """Returns what random sentences of the grammar are worth: what a model adds must be more than that."""
    grammar = parse_grammar(redcode_grammar(RULES, lines, remark=False))
    drawn = [assemble(draw_sentence(grammar, stream(0, k, "sentence")), RULES) for k in range(count)]
    name = f"{count} random sentences of the grammar"
    return [
        Row(f"{name}: opcodes of one", float(np.mean([len(warrior.opcodes) for warrior in drawn]))),
        Row(f"{name}: survive the imp", survivors(drawn) / count),
    ]


async def measure(arguments: argparse.Namespace) -> Report:
    found = chance(arguments.lines, CHANCE)
    data: dict[str, object] = {}
    config = LLMConfig(timeout=600, record=arguments.record, replay=arguments.replay)
    pool = LLMPool(arguments.model, config)
    for spec in arguments.model:
        for operator in OPERATORS:
            began = time.monotonic()
            made = await trial(spec, operator, pool, arguments)
            name = f"{spec.partition('@')[0]}{'?' + spec.partition('?')[2] if '?' in spec else ''} {operator}"
            found += rows(name, made, arguments.proposals)
            data[f"{spec} {operator}"] = {"seconds": time.monotonic() - began}
    await pool.close()
    about = f"{arguments.proposals} proposals each, at most {arguments.max_tokens} tokens, temperature 0.8."
    return Report("corewar_models", about, found, data)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.corewar_models", description=__doc__)
    parser.add_argument("--model", action="append", required=True, help="a model's spec; repeatable")
    parser.add_argument("--proposals", type=int, default=20, help="attempts a model and operator")
    parser.add_argument("--max-tokens", type=int, default=150, help="most tokens of a reply")
    parser.add_argument("--lines", type=int, default=8, help="most instructions that the grammar allows")
    parser.add_argument("--record", type=Path, help="file that every reply is appended to")
    parser.add_argument("--replay", type=Path, help="file whose replies stand in for the models")
    arguments = parser.parse_args()
    before = machine()
    report = asyncio.run(measure(arguments))
    show(report)
    print(f"  written to {write(report, before, quick=False)}")


if __name__ == "__main__":
    main()
