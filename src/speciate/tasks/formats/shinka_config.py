"""What of the settings beside a ShinkaEvolve task holds here.

They are read off run_evo.py, which is never run: literals that are given to the three config classes,
directly or by the name of a constant of the module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from speciate.records import Json
from speciate.tasks.formats.foreign import Wishes
from speciate.tasks.formats.native import read_text
from speciate.tasks.formats.settings_file import LIST, NUMBER, TEXT, WHOLE, Rule, Taken, Values, take
from speciate.tasks.languages import LANGUAGES
from speciate.tasks.python_source import python_syntax

FILE = "run_evo.py"

_TABLES = {
    "EvolutionConfig": "evo_config",
    "DatabaseConfig": "db_config",
    "LocalJobConfig": "job_config",
    "SlurmCondaJobConfig": "job_config",
    "SlurmDockerJobConfig": "job_config",
}


def _patches(_: Any, values: Values) -> Json:
    """Returns weights of the operators from the two lists that name them and their shares."""
    names = values.get("evo_config.patch_types", ("diff", "full", "cross"))
    shares = values.get("evo_config.patch_type_probs", [1.0] * len(names))
    weights = dict.fromkeys(("diff", "full", "crossover"), 0.0)
    for name, share in zip(names, shares, strict=False):
        weights["crossover" if name == "cross" else str(name)] = float(share)
    return dict(weights)


def _seconds(text: str, _: Values) -> Json:
    """Returns the seconds of ``HH:MM:SS``, or of fewer parts, the last of which are seconds.

    With days before it, ``D-HH``, ``D-HH:MM`` or ``D-HH:MM:SS`` as Slurm has them, hours come first.
    """
    days, dash, clock = text.rpartition("-")
    parts = clock.split(":")
    if dash:
        parts += ["0"] * (3 - len(parts))
    seconds = 0.0
    for part in parts:
        seconds = seconds * 60 + float(part)
    return seconds + (86_400 * int(days) if dash else 0)


RULES = {
    "evo_config.task_sys_msg": Rule(TEXT, "description", task=True),
    "evo_config.num_generations": Rule(WHOLE, "budget.candidates"),
    "evo_config.max_api_costs": Rule(NUMBER, "budget.cost"),
    "evo_config.patch_types": Rule(LIST, "mutation.model", _patches),
    "evo_config.patch_type_probs": Rule(LIST, "mutation.model", _patches),
    "evo_config.max_patch_resamples": Rule(WHOLE, "attempts.resamples"),
    "evo_config.max_patch_attempts": Rule(WHOLE, "attempts.patch"),
    "evo_config.language": Rule(TEXT, "language", task=True),
    "db_config.num_islands": Rule(WHOLE, "population.islands"),
    "db_config.archive_size": Rule(WHOLE, "population.archive.size"),
    "db_config.elite_selection_ratio": Rule(NUMBER, "population.archive.elite_share"),
    "db_config.migration_interval": Rule(WHOLE, "population.migration_interval"),
    "db_config.migration_rate": Rule(NUMBER, "population.migration_fraction"),
    "db_config.num_archive_inspirations": Rule(WHOLE, "inspirations.random"),
    "db_config.num_top_k_inspirations": Rule(WHOLE, "inspirations.top"),
    "job_config.time": Rule(TEXT, "seconds", _seconds, task=True),
}

REASONS = {
    "evo_config.llm_models": "name models with --model",
    "evo_config.results_dir": "see --out",
    "evo_config.init_program_path": "it is found by its name",
    "job_config": "see limits and --set evaluation.slots",
    "job_config.eval_program_path": "it is found by its name",
}


def read(folder: Path) -> Wishes:
    """Reads run_evo.py, if there is one.

    Raises:
        TaskError: a value that is used does not fit.
    """
    path = folder / FILE
    text = read_text(path) if path.is_file() else ""
    readable = bool(text) and python_syntax(text) is None
    taken = take(_given(ast.parse(text)), RULES, REASONS, path) if readable else Taken()
    remarks = list(taken.remarks(FILE))
    if text and not readable:
        remarks.append(f"{FILE} is not read: it is no Python of this version")
    if others := sorted(file.name for file in (*folder.glob("*.yaml"), *folder.glob("*.yml"))):
        remarks.append(f"not read: {', '.join(others)}")
    seconds = taken.task.get("seconds")
    return Wishes(
        description=str(taken.task.get("description", "")),
        seconds=seconds if isinstance(seconds, float) and seconds > 0 else None,
        language=_language(taken.task.get("language")),
        defaults=taken.settings,
        remarks=tuple(remarks),
    )


def _given(tree: ast.Module) -> dict[str, dict[str, Any]]:
    """Returns the literals given to the config classes, by class and keyword; the first call counts."""
    constants = dict(_constants(tree))
    found: dict[str, dict[str, Any]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _TABLES:
                found.setdefault(_TABLES[name], dict(_keywords(node, constants)))
            case _:
                continue
    return found


def _constants(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                yield from ((name, literal) for literal in _literal(value, {}))
            case _:
                continue


def _keywords(call: ast.Call, constants: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for keyword in call.keywords:
        if keyword.arg is not None:
            name = keyword.arg
            yield from ((name, literal) for literal in _literal(keyword.value, constants))


def _literal(node: ast.expr, constants: Mapping[str, Any]) -> Iterator[Any]:
    """Yields the value of an expression that can be read without running anything."""
    if isinstance(node, ast.Name):
        if node.id in constants:
            yield constants[node.id]
        return
    try:
        yield ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return


def _language(named: Json) -> str | None:
    known = {name for one in LANGUAGES for name in (one.name, *one.aliases)}
    return named if isinstance(named, str) and named in known else None
