"""Which champions are taken: within every bound, in the wanted order; and to whom a node listens."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from speciate.engine import SharingConfig, TopologyConfig
from speciate.ensembles.messages import Announcement
from speciate.ensembles.sharing import decide_wanted
from speciate.ensembles.topology import complements, decide_links

cells = st.tuples(st.integers(0, 3), st.integers(0, 3))
members = st.lists(st.sampled_from([f"n{k}" for k in range(12)]), min_size=1, max_size=12, unique=True).map(
    sorted
)

MAP = "0123456789abcdef"


@st.composite
def announced(draw: st.DrawFn) -> list[Announcement]:
    return [
        Announcement(
            ensemble="e",
            task="t",
            node=f"n{number}",
            incarnation="i",
            round=draw(st.integers(0, 3)),
            fitness=draw(st.none() | st.floats(-5, 5)),
            cell=draw(st.none() | cells),
            map=draw(st.sampled_from(["", MAP, "another"])),
            files=(("initial.py", "0" * 40),) if draw(st.booleans()) else (),
            size=draw(st.integers(0, 50)),
        )
        for number in range(draw(st.integers(0, 8)))
    ]


configs = st.builds(
    SharingConfig,
    order=st.sampled_from(["oldest", "novel", "quality"]),
    only=st.sampled_from(["all", "opening"]),
    most=st.none() | st.integers(0, 5),
    bytes=st.none() | st.integers(0, 120),
    rounds=st.sampled_from(["all", "same"]),
)


@given(configs, announced(), st.sets(cells), st.integers(0, 3))
def test_every_bound_is_kept(
    config: SharingConfig, offers: list[Announcement], filled: set[tuple[int, int]], round: int
) -> None:
    wanted = decide_wanted(config, offers, filled, round=round, map=MAP)
    by_id = {each.id: each for each in offers}
    taken = [by_id[message] for message in wanted]
    assert len(set(wanted)) == len(wanted)
    assert all(each.files for each in taken)
    assert config.most is None or len(taken) <= config.most
    assert config.bytes is None or sum(each.size for each in taken) <= config.bytes
    assert config.rounds == "all" or all(each.round == round for each in taken)
    assert config.only == "all" or not any(each.map == MAP and each.cell in filled for each in taken)


@given(announced(), st.sets(cells))
def test_orders_are_what_they_say(offers: list[Announcement], filled: set[tuple[int, int]]) -> None:
    by_id = {each.id: each for each in offers}

    def taken(order: str) -> list[Announcement]:
        config = SharingConfig.model_validate({"order": order})
        return [by_id[message] for message in decide_wanted(config, offers, filled, round=0, map=MAP)]

    assert taken("oldest") == [each for each in offers if each.files]
    known = [each.fitness for each in taken("quality") if each.fitness is not None]
    assert known == sorted(known, reverse=True)
    opens = [each.map == MAP and each.cell in filled for each in taken("novel")]
    assert opens == sorted(opens)


@given(members, st.integers(1, 4), st.integers(0, 99), st.integers(0, 9))
def test_links_are_others_and_as_many_as_wanted(names: list[str], links: int, seed: int, round: int) -> None:
    me = names[0]
    for kind in ("all", "ring", "random"):
        config = TopologyConfig.model_validate({"kind": kind, "links": links})
        found = decide_links(config, me, names, seed=seed, round=round)
        assert set(found) <= set(names) - {me}
        assert found == decide_links(config, me, names, seed=seed, round=round)
        expected = {
            "all": len(names) - 1,
            "ring": min(2, len(names) - 1),
            "random": min(links, len(names) - 1),
        }
        assert len(found) == expected[kind]


@given(members)
def test_in_a_ring_whoever_listens_is_listened_to(names: list[str]) -> None:
    ring = TopologyConfig(kind="ring")
    links = {name: decide_links(ring, name, names, seed=0, round=0) for name in names}
    assert all(name in links[other] for name in names for other in links[name])


def test_complements_fill_what_is_empty_here() -> None:
    config = TopologyConfig(kind="adaptive", links=1)
    peers = {"near": [(0, 0), (0, 1)], "far": [(0, 0), (3, 3), (3, 2)], "bare": []}
    assert complements(config, [(0, 0), (0, 1)], peers, seed=1, round=0) == ("far",)


def champion(node: str, cell: tuple[int, int] | None, map: str, **more: object) -> Announcement:
    files = (("initial.py", "0" * 40),)
    return Announcement(
        ensemble="e", task="t", node=node, incarnation="i", round=0, cell=cell, map=map, files=files, **more
    )


def test_a_cell_of_another_map_is_unknown_and_so_its_champion_is_wanted() -> None:
    offers = [champion("same", (0, 0), MAP), champion("other", (0, 0), "other"), champion("old", (0, 0), "")]
    opening = SharingConfig(only="opening")
    wanted = decide_wanted(opening, offers, [(0, 0)], round=0, map=MAP)
    assert [message.node for message in wanted] == ["other", "old"]
    assert decide_wanted(opening, offers, [(0, 0)], round=0, map="") == tuple(each.id for each in offers)


def test_cells_of_other_maps_do_not_make_a_cell_common() -> None:
    offers = [
        champion("common", (1, 1), MAP),
        champion("another", (1, 1), MAP),
        champion("rare", (2, 2), MAP),
        *(champion(f"other{number}", (2, 2), "other") for number in range(3)),
    ]
    novel = SharingConfig(order="novel")
    wanted = decide_wanted(novel, offers, [], round=0, map=MAP)
    assert [message.node for message in wanted] == ["rare", "other0", "other1", "other2", "common", "another"]


def test_unknown_archives_are_listened_to_by_chance_and_known_ones_for_what_they_fill() -> None:
    config = TopologyConfig(kind="adaptive", links=2)
    peers = {"poor": [(0, 0)], "rich": [(1, 1), (2, 2)], "far": None, "farther": None}
    drawn = [complements(config, [(0, 0)], peers, seed=1, round=round) for round in range(400)]
    assert all(len(links) == 2 for links in drawn)
    # As often as in draws of two out of four; the rest is the rich one's before the poor one's.
    times = Counter(name for links in drawn for name in links)
    assert 150 <= times["far"] <= 250
    assert 150 <= times["farther"] <= 250
    assert all("rich" in links for links in drawn if "poor" in links)
    assert times["rich"] > times["poor"] > 0


@given(members, st.integers(1, 4), st.integers(0, 99), st.data())
def test_as_many_links_as_wanted_whoever_is_unknown(
    names: list[str], links: int, seed: int, data: st.DataObject
) -> None:
    config = TopologyConfig(kind="adaptive", links=links)
    peers = {name: data.draw(st.none() | st.lists(cells, max_size=4)) for name in names}
    found = complements(config, [(0, 0)], peers, seed=seed, round=0)
    assert len(set(found)) == len(found) == min(links, len(names))
    assert set(found) <= set(names)
