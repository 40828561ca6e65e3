"""Fights what was asked for and tells how it went."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from speciate.errors import UsageError
from speciate.problems.corewar.command import telling
from speciate.problems.corewar.command.entrants import Company, find_company
from speciate.problems.corewar.command.fight import Row, rows_of_battle, rows_of_tournament
from speciate.problems.corewar.command.request import Request, View
from speciate.problems.corewar.mars import Counts, chosen
from speciate.problems.corewar.scoring import battle, tournament

_MANY: Final = 10_000
"""Rounds of a tournament from which on people are told what they wait for; some seconds in C."""

_SCORES: Final = {
    "pmars": "score: points, 3 a win and 1 a tie between two; (W² − 1) / S for S survivors of W",
    "drq": "score: 1 if nobody dies, up to the number of warriors for who is left alone",
    "survival": "score: share of the cycles lived; of the first warrior summed over its opponents",
}


def run_battle(request: Request, view: View) -> None:
    """Fights the battle or tournament, shows its rounds if asked for, and tells the outcome.

    Raises:
        UsageError: what is asked for cannot be done as asked.
    """
    if view.pictures:
        _check_pictures(request, view)
    company = find_company(request)
    for sentence in company.remarks:
        telling.remark(sentence)
    if request.tournament:
        _fight_tournament(request, view, company)
    else:
        _fight_battle(request, view, company)


def _check_pictures(request: Request, view: View) -> None:
    """Refuses to show what cannot be shown, before anything is fought."""
    if request.tournament:
        raise UsageError("a tournament has many battles; to watch one, name its two warriors")
    if view.frames is None and not telling.spoken_to(as_json=view.as_json).isatty():
        raise UsageError("--watch needs a terminal; --frames N prints pictures of the first round instead")


def _fight_battle(request: Request, view: View, company: Company) -> None:
    if view.pictures and request.protocol == "survival" and len(company.entrants) > 2:
        raise UsageError("survival is fought in pairs; to watch one, name its two warriors")
    fought = battle(
        company.warriors,
        request.settings,
        request.positions,
        request.fought_rounds if request.positions is None or request.rounds is not None else 1,
        request.seed,
        request.protocol,
        request.statistics,
        threads=request.threads,
    )
    full = request.statistics == "full"
    rows = rows_of_battle(company.entrants, fought, full=full)
    if view.pictures:
        from speciate.problems.corewar.command.watch import show_rounds

        show_rounds(request, view, company, fought)
    telling.say(_heading(request), *_table(rows), as_json=view.as_json)
    if len(rows) > 1:
        telling.say(_SCORES[request.protocol], as_json=view.as_json)
    found = {
        **_facts(request, company, rows),
        "protocol": fought.protocol,
        "statistics": request.statistics,
        "positions": fought.positions,
        "results": fought.results,
        "scores": list(fought.scores),
        "counts": _counts(fought.counts, full=full),
    }
    telling.result(found, as_json=view.as_json)


def _fight_tournament(request: Request, view: View, company: Company) -> None:
    pairs, rounds = math.comb(len(company.entrants), 2), request.fought_rounds
    if pairs * rounds >= _MANY:
        telling.remark(f"{pairs:,} pairs fight {rounds:,} rounds each")
    fought = tournament(company.warriors, request.settings, rounds, request.seed, threads=request.threads)
    rows = rows_of_tournament(company.entrants, fought)
    telling.say(_heading(request), *_table(rows), _SCORES["pmars"], as_json=view.as_json)
    telling.result({**_facts(request, company, rows), "protocol": "tournament"}, as_json=view.as_json)


def _heading(request: Request) -> str:
    """Returns under which conditions was fought."""
    rules, rounds = request.settings, request.fought_rounds
    where = "given positions" if request.positions else f"positions from seed {request.seed}"
    meeting = "tournament" if request.tournament else request.protocol
    return (
        f"{meeting}, {rounds} round{'s' if rounds > 1 else ''}; "
        f"rules {request.preset}{' (changed)' if request.changed else ''}: core {rules.core_size}, "
        f"cycles {rules.cycles}, processes {rules.processes}; {where}; simulator {chosen()}"
    )


def _table(rows: Sequence[Row]) -> list[str]:
    """Returns the rows as lines. A lone warrior has nobody to win against, and no points."""
    fates = ["wins", "ties", "losses", "score"] if len(rows) > 1 else ["survived", "died", "lifetime"]
    counted = rows[0].usage is not None
    if counted:
        fates += ["lifetime"] * (len(rows) > 1) + ["processes", "cells run", "cells written"]
    return telling.table(
        ["name", "file", *fates], [_cells(row, alone=len(rows) == 1) for row in rows], texts=2
    )


def _cells(row: Row, *, alone: bool) -> list[str]:
    lifetime = f"{row.lifetime or 0:,.1f}"
    if alone:
        cells = [str(row.wins), str(row.losses), lifetime]
    else:
        score = f"{row.score:.4f}".rstrip("0").rstrip(".")
        cells = [str(row.wins), str(row.ties), str(row.losses), score]
    if row.usage is not None:
        usage = row.usage
        cells += [lifetime] * (not alone)
        cells += [f"{mean:,.1f}" for mean in (usage.spawned, usage.covered, usage.written)]
    return [row.name, row.file, *cells]


def _facts(request: Request, company: Company, rows: Sequence[Row]) -> dict[str, object]:
    """Returns what the JSON of battles and tournaments has in common."""
    return {
        "warriors": [row.as_json() for row in rows],
        "preset": request.preset,
        "settings": asdict(request.fought_rules),
        "rounds": request.fought_rounds,
        "seed": request.seed if request.positions is None else None,
        "engine": chosen(),
        "left_out": [asdict(each) for each in company.left_out],
        "remarks": company.remarks,
    }


def _counts(counts: Counts, *, full: bool) -> dict[str, object]:
    """Returns what was counted, (battles, rounds, seats) each."""
    told: dict[str, object] = {"alive": counts.alive.tolist(), "lifetime": counts.lifetime.tolist()}
    if full:
        told["spawned"] = counts.spawned.tolist()
        told["covered"] = counts.covered.tolist()
        told["written"] = counts.written.tolist()
    return told
