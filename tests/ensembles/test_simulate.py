"""Simulated ensembles: the real ones where nothing is simulated; what loss, delay and churn do to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from speciate.engine import RunConfig
from speciate.engine.settings import Layer, compose
from speciate.ensembles import evolve_ensemble
from speciate.ensembles.ensemble import Ensemble
from speciate.ensembles.simulate import Scenario, Simulation, look_again, simulate
from speciate.ensembles.simulation import Churn, Lives, Partition, Spread, Weather
from speciate.errors import ConfigError, SpeciateError
from speciate.evaluators import EvaluationConfig, build_evaluator
from speciate.records import Context, Drained, Event, Json, Outcome, Program, Published, Received
from speciate.testing.histories import TracingEvaluator, assert_same_history, events_of
from speciate.testing.knobs import axes, company, knobs_program, knobs_task

TASK = company(knobs_task(descriptors=axes(), opponents=(knobs_program(1.0, 0.0), knobs_program(-2.0, 0.0))))
ALONE = knobs_task(descriptors=axes())


def settings(*more: Layer, nodes: int = 4, rounds: int = 4, **ensemble: Json) -> RunConfig:
    base: Layer = {
        "seed": 5,
        "driver": "sequential",
        "population": {"islands": 1, "archive": {"kind": "grid"}},
        "budget": {"candidates": None},
        "ensemble": {
            "rounds": rounds,
            "iterations": 3,
            "initial": 0,
            "nodes": [{"name": f"n{number}"} for number in range(nodes)],
            **ensemble,
        },
    }
    return compose([base, *more])


def histories(ensemble: Ensemble) -> dict[str, list[Event]]:
    return {node.name: events_of(node.evolution.store) for node in ensemble.nodes if node.evolution}


def assert_same(one: Ensemble, other: Ensemble) -> None:
    left, right = histories(one), histories(other)
    assert list(left) == list(right)
    for name in left:
        assert_same_history(left[name], right[name])


def taken(simulation: Simulation) -> dict[str, list[tuple[str, int]]]:
    return {
        name: [(e.node, e.round) for e in events if isinstance(e, Received) and e.refused is None]
        for name, events in histories(simulation.ensemble).items()
    }


TOPOLOGIES: dict[str, dict[str, Json]] = {
    "all": {"kind": "all"},
    "ring": {"kind": "ring"},
    "random": {"kind": "random", "links": 2},
    "adaptive": {"kind": "adaptive", "links": 2},
}


@pytest.mark.parametrize("task", [TASK, ALONE], ids=["company", "alone"])
@pytest.mark.parametrize("topology", TOPOLOGIES.values(), ids=TOPOLOGIES.keys())
def test_where_nothing_is_simulated_it_is_the_real_ensemble_event_for_event(
    task: object, topology: dict[str, Json]
) -> None:
    config = settings(topology=topology)
    simulated = simulate(task, config)  # type: ignore[arg-type]  # parametrize forgets types
    assert_same(simulated.ensemble, evolve_ensemble(task, config))  # type: ignore[arg-type]


def test_drawn_latencies_are_those_of_the_settings_with_the_same_numbers() -> None:
    config = settings()
    simulated = simulate(TASK, config, Scenario(latency=Spread("lognormal", 1.0, 0.7)))
    drawn = [node.latency for node in simulated.ensemble.config.ensemble.nodes]
    assert len(set(drawn)) == len(drawn)
    nodes = [
        node.model_copy(update={"latency": s}) for node, s in zip(config.ensemble.nodes, drawn, strict=True)
    ]
    ensemble = config.ensemble.model_copy(update={"nodes": tuple(nodes)})
    real = evolve_ensemble(TASK, config.model_copy(update={"ensemble": ensemble}))
    assert_same(simulated.ensemble, real)


SCENARIOS = {
    "rough": Scenario(
        weather=Weather(
            loss=0.3, duplicate=0.3, delay=Spread("lognormal", 2.0, 1.0), partition=Partition(2.0, 7.0)
        ),
        churn=Churn(late=0.5, away=0.5, dies=0.2),
        latency=Spread("uniform", 0.5, 2.0),
        seed=3,
    ),
    "calm": Scenario(),
}


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_equal_arguments_give_an_equal_simulation_whatever_takes_how_long(scenario: Scenario) -> None:
    config = settings(nodes=6, topology=TOPOLOGIES["random"])
    first = simulate(TASK, config, scenario)
    again = simulate(TASK, config, scenario, evaluators=lambda: TracingEvaluator(TASK, jitter=4, slots=3))
    assert (again.looked.curve, again.looked.end, again.accounts) == (
        first.looked.curve,
        first.looked.end,
        first.accounts,
    )
    assert again.looked.merged.elites == first.looked.merged.elites
    assert_same(again.ensemble, first.ensemble)


def test_where_all_is_lost_each_is_alone() -> None:
    simulated = simulate(TASK, settings(), Scenario(weather=Weather(loss=1.0)))
    assert all(not messages for messages in taken(simulated).values())
    assert (simulated.looked.end.bytes, simulated.looked.end.age) == (0, None)
    assert all(account.rounds[-1].sent > 0 for account in simulated.accounts)


def test_what_is_lost_to_one_is_never_heard_of_by_it_and_comes_to_others() -> None:
    simulated = simulate(TASK, settings(nodes=5), Scenario(weather=Weather(loss=0.5)))
    found = taken(simulated)
    everybody = {(f"n{number}", round) for number in range(5) for round in range(4)}
    missed = [everybody - {m for m in everybody if m[0] == name} - set(had) for name, had in found.items()]
    assert all(missed)
    assert not set.intersection(*missed)


def test_what_comes_twice_is_applied_once() -> None:
    config = settings()
    once, twice = simulate(TASK, config), simulate(TASK, config, Scenario(weather=Weather(duplicate=1.0)))
    assert taken(twice) == taken(once)
    heard = [sum(each.heard for account in s.accounts for each in account.rounds) for s in (once, twice)]
    assert heard[1] == 2 * heard[0]


def test_delays_make_champions_old() -> None:
    late = simulate(TASK, settings(), Scenario(weather=Weather(delay=Spread("constant", 4.0))))
    ages = [age for account in late.accounts for each in account.rounds for age in each.ages]
    assert set(ages) == {6.0}  # rounds take three seconds: it is looked at with the second drain after
    assert late.looked.curve[-1].lag == 2.0
    assert simulate(TASK, settings()).looked.end.age == 0.0


def test_a_partition_is_healed_in_the_end() -> None:
    scenario = Scenario(weather=Weather(partition=Partition(0.0, 7.0)), seed=1)
    simulated = simulate(TASK, settings(nodes=6), scenario)
    early = [len(account.rounds[0].ages) for account in simulated.accounts]
    assert min(early) < 5
    assert all(len(messages) == 5 * 4 for messages in taken(simulated).values())


def test_late_nodes_are_unknown_until_they_begin_and_then_catch_up() -> None:
    scenario, config = Scenario(churn=Churn(late=0.5), seed=2), settings(nodes=6, rounds=5)
    simulated = simulate(TASK, config, scenario)
    lives = Lives(scenario.churn, list(taken(simulated)), seed=2, span=15.0)
    late = [name for name in taken(simulated) if lives.begins(name) > 3.0]
    assert late
    for account in simulated.accounts:
        drains = [e for e in histories(simulated.ensemble)[account.name] if isinstance(e, Drained)]
        for drained, snapshot in zip(drains, account.rounds, strict=True):
            assert all(lives.begins(name) <= snapshot.at for name in drained.listened)
    for name in late:
        first = next(account for account in simulated.accounts if account.name == name).rounds[0]
        assert first.at == pytest.approx(lives.begins(name) + 3.0)
        assert max(first.ages) > 0


def test_who_was_away_goes_on_and_ends_all_its_rounds() -> None:
    simulated = simulate(TASK, settings(), Scenario(churn=Churn(away=1.0), seed=4))
    ends = {account.name: account.rounds[-1].at for account in simulated.accounts}
    assert all(len(account.rounds) == 4 for account in simulated.accounts)
    assert max(ends.values()) > 12.0


def test_the_dead_publish_nothing_more_and_their_archives_are_lost() -> None:
    scenario = Scenario(churn=Churn(dies=0.6), seed=1)
    simulated = simulate(TASK, settings(nodes=8), scenario)
    dead = {account.name: len(account.rounds) for account in simulated.accounts if account.end is None}
    assert 0 < len(dead) < 8
    assert set(simulated.looked.merged.nodes).isdisjoint(dead)
    for messages in taken(simulated).values():
        assert all(round < dead.get(node, 4) for node, round in messages)
    assert simulated.looked.end.nodes == 8 - len(dead)


def test_bytes_and_ages_are_those_of_the_events() -> None:
    simulated = simulate(TASK, settings())
    events = [event for found in histories(simulated.ensemble).values() for event in found]
    heard = sum(event.size for event in events if isinstance(event, Drained))
    fetched = sum(event.size for event in events if isinstance(event, Received))
    sent = sum(event.size for event in events if isinstance(event, Published))
    assert simulated.looked.end.bytes == heard + fetched
    assert sum(each.sent for account in simulated.accounts for each in account.rounds) == sent


def test_the_archives_are_looked_at_as_often_as_asked_for() -> None:
    simulated = simulate(ALONE, settings(), every=2)
    assert [point.qd_score is None for point in simulated.looked.curve] == [True, False, True, False]
    assert [point.round for point in simulated.looked.curve] == [1, 2, 3, 4]
    assert simulated.looked.curve[-1].coverage is not None
    assert simulated.looked.end.coverage is not None
    assert simulated.looked.end.mean_coverage is not None
    assert (
        simulated.looked.end.coverage
        >= simulated.looked.curve[-1].coverage
        >= simulated.looked.end.mean_coverage
    )


def test_archives_of_two_simulations_can_be_merged_in_one_company() -> None:
    first, other = (simulate(TASK, settings(topology=TOPOLOGIES[kind])) for kind in ("all", "ring"))
    assert first.looked.merged.pool != other.looked.merged.pool
    again = look_again(TASK, other, TASK.context)
    assert again.merged.pool == look_again(TASK, first, TASK.context).merged.pool
    assert len(again.curve) == len(other.looked.curve)
    assert again.end.bytes == other.looked.end.bytes


class Counting(TracingEvaluator):
    """Counts the pairs of program and company that it scores."""

    scored: list[tuple[str, str]]

    async def evaluate(self, program: Program, context: Context) -> Outcome:
        self.scored.append((program.hash, context.hash))
        return await super().evaluate(program, context)


def test_nothing_is_evaluated_twice() -> None:
    scored: list[tuple[str, str]] = []

    def counting() -> Counting:
        made = Counting(ALONE)
        made.scored = scored
        return made

    simulated = simulate(ALONE, settings(), evaluators=counting)
    assert len(set(scored)) == len(scored) == simulated.evaluations
    assert simulated.reused > 0


REFUSED: dict[str, Callable[[], Simulation]] = {
    "stochastic": lambda: simulate(
        replace(
            ALONE,
            spec=ALONE.spec.model_copy(
                update={"evaluation": ALONE.spec.evaluation.model_copy(update={"stochastic": True})}
            ),
        ),
        settings(),
    ),
    "virtual clock": lambda: simulate(ALONE, settings(clock="wall")),
    "4096 nodes at most": lambda: simulate(ALONE, settings(nodes=4097)),
    "longer than nothing": lambda: simulate(ALONE, settings(), Scenario(latency=Spread("constant", 0.0))),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_simulated_is_refused(message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        REFUSED[message]()


def test_an_ensemble_that_dies_out_is_an_error() -> None:
    with pytest.raises(SpeciateError, match="no node lived to the end"):
        simulate(ALONE, settings(nodes=2), Scenario(churn=Churn(dies=1.0)))


def test_a_task_of_its_own_evaluator_needs_nothing_more() -> None:
    simulated = simulate(
        ALONE, settings(nodes=2, rounds=1), evaluators=lambda: build_evaluator(ALONE, EvaluationConfig())
    )
    assert simulated.candidates == 2 * (1 + 3 + 1)
