"""A model as a proposer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from typing_extensions import override

from speciate.errors import ConfigError
from speciate.llm import prompt_variant, takes_grammar
from speciate.mutation.attempts import FRESH_START, AttemptsConfig, Stand
from speciate.mutation.base import Assignment, Proposer
from speciate.mutation.by_model.answers import Answer, read_answer
from speciate.mutation.by_model.crossover import CROSSOVER
from speciate.mutation.by_model.diff import DIFF
from speciate.mutation.by_model.fix import FIX
from speciate.mutation.by_model.full import FULL
from speciate.mutation.by_model.new import NEW
from speciate.mutation.by_model.operator import ModelOperator
from speciate.mutation.by_model.replies import clean, unusable
from speciate.mutation.by_model.sampling import SamplingConfig
from speciate.mutation.context import ContextConfig, build_messages, estimated_tokens
from speciate.mutation.display import capped
from speciate.mutation.phrasings import PHRASED, Phrasing
from speciate.mutation.prompts import brings_own, prompt_for
from speciate.records import Message, Proposal, Rejected, Reply, Request, Sampling
from speciate.tasks import Task

OPERATORS: Mapping[str, ModelOperator] = MappingProxyType(
    {operator.name: operator for operator in (NEW, DIFF, FULL, CROSSOVER, FIX)}
)
"""All ways of asking a model, by name."""

PURPOSE = "propose"


class ModelProposer(Proposer):
    """Asks one model for one program an attempt.

    A patch that does not apply is answered with the error, as the next turn of the same conversation; after
    any other rejection a fresh prompt tells what was wrong. See `AttemptsConfig` for how the two alternate.
    """

    operators = tuple(OPERATORS)
    advised = True

    def __init__(
        self,
        model: str,
        *,
        sampling: SamplingConfig | None = None,
        context: ContextConfig | None = None,
        attempts: AttemptsConfig | None = None,
    ) -> None:
        """Names the model.

        Args:
            model: the model's spec, also the proposer's name.
            sampling: how it is asked to answer; None for the defaults, here and below.
            context: bounds on prompts.
            attempts: bounds on attempts, the same that the engine goes by.
        """
        self.name = model
        self._sampling = sampling or SamplingConfig()
        self._context = context or ContextConfig()
        self._attempts = attempts or AttemptsConfig()
        self._grammar = takes_grammar(model)
        self._variant = prompt_variant(model)
        self.worded = not self._variant  # a variant is made for its model, and stays

    @override
    def phrasings(self, task: Task, operator: str) -> Mapping[Phrasing, float]:
        own = operator != PHRASED or brings_own(task, operator, self._variant)
        return {} if own else self._context.full

    @override
    async def propose(self, assignment: Assignment) -> Proposal | Rejected:
        chosen = _operator(assignment)
        stand = self._attempts.stand(assignment.rejections, diffs=chosen is DIFF)
        operator = FULL if stand.switched else chosen
        bare = self._bare(operator, assignment.task)
        sampling = self._sampling.draw(assignment.random("sampling"))
        if bare:
            sampling = replace(sampling, grammar=assignment.task.grammar)
        messages = await self._conversation(assignment, operator, stand, sampling)
        reply = await _ask(assignment, self.name, Request(messages, sampling), assignment.attempt)
        made = self._read(reply, operator, assignment)
        if isinstance(made, Proposal) and stand.switched:
            return Proposal(
                made.program, made.attempt, f"[full rewrite after failed diffs] {made.summary}".strip()
            )
        return made

    async def _conversation(
        self, assignment: Assignment, operator: ModelOperator, stand: Stand, sampling: Sampling
    ) -> tuple[Message, ...]:
        """Returns the prompt of this attempt: a fresh one, and the failed turns since, if any.

        Replies of earlier attempts come from the gateway, which answers them from the record.
        """
        first = assignment.attempt - stand.turns
        fresh = build_messages(
            assignment,
            instruction=operator.instruction(
                assignment.task,
                variant=self._variant,
                bare=self._bare(operator, assignment.task),
                phrasing=assignment.choice.phrasing
                if operator.name == assignment.choice.operator
                else "default",
            ),
            partner=operator.partner,
            fresh=operator.fresh,
            variant=self._variant,
            earlier=_worth_telling(assignment.rejections[:first], stand),
            config=self._context,
        )
        turns: list[tuple[Message, Message]] = []
        for rejection in assignment.rejections[first:]:
            so_far = Request((*fresh, *_kept(turns, self._context.turn_tokens)), sampling)
            reply = await _ask(assignment, self.name, so_far, rejection.attempt)
            turns.append(
                (Message("assistant", (clean(reply.text),)), self._complaint(rejection, operator, assignment))
            )
        return (*fresh, *_kept(turns, self._context.turn_tokens))

    def _complaint(self, rejection: Rejected, operator: ModelOperator, assignment: Assignment) -> Message:
        problem = capped(rejection.message, self._context.feedback_chars)
        task = assignment.task
        values = {"problem": problem, "answer": operator.form(task, bare=self._bare(operator, task))}
        return Message("user", (prompt_for(task, "retry", self._variant).render(values) + "\n",))

    def _read(self, reply: Reply, operator: ModelOperator, assignment: Assignment) -> Proposal | Rejected:
        attempt = assignment.attempt
        wrong = unusable(reply, attempt=attempt, max_chars=self._sampling.max_chars)
        if wrong is not None:
            return wrong
        task = assignment.task
        program = task.initial if operator.fresh else assignment.parents[0].program
        bare = self._bare(operator, task)
        answer = read_answer(operator, program, clean(reply.text), task, bare=bare)
        if isinstance(answer, Answer):
            return Proposal(answer.program, attempt, answer.summary)
        return Rejected("propose", answer.reason, answer.message, attempt)

    def _bare(self, operator: ModelOperator, task: Task) -> bool:
        """Says whether a grammar holds the model to a program's text alone."""
        return self._grammar and operator.whole and task.grammar is not None


def _operator(assignment: Assignment) -> ModelOperator:
    name = assignment.choice.operator
    if name not in OPERATORS:
        raise ConfigError(f"models cannot carry out the operator {name!r}; they know {', '.join(OPERATORS)}")
    return OPERATORS[name]


def _worth_telling(earlier: tuple[Rejected, ...], stand: Stand) -> tuple[Rejected, ...]:
    """Leaves out errors of form once the form has changed: they would ask for the old one again."""
    if not stand.switched:
        return earlier
    return tuple(r for r in earlier if r.step == "screen" or r.reason in FRESH_START)


async def _ask(assignment: Assignment, model: str, request: Request, attempt: int) -> Reply:
    ordinal = assignment.choice.ordinal
    return await assignment.gateway.ask(model, request, ordinal=ordinal, attempt=attempt, purpose=PURPOSE)


def _kept(turns: list[tuple[Message, Message]], tokens: int) -> list[Message]:
    """Returns the last turns that fit, the very last one in any case."""
    start = 0
    while start < len(turns) - 1 and sum(estimated_tokens(turn) for turn in turns[start:]) > tokens:
        start += 1
    return [message for turn in turns[start:] for message in turn]
