"""Does anything say no to a wrong answer?"""

from __future__ import annotations

import inspect
import re

from speciate.tasks.definition import Task

_WORDS = re.compile(r"\b(valid|correct|ValueError)\b")
_FOREIGN_WORDS = {
    "shinka": re.compile(r"\bvalidate_fn\b|\bsave_json_results\b|correct\.json"),
    "openevolve": re.compile(r"[\"']error[\"']|\braise\b"),
}


def has_validator(task: Task) -> bool:
    """Whether the task's score code can call a candidate invalid.

    Read off its text: code that never says ``valid``, ``correct`` or ``ValueError`` has no way to refuse an
    answer. Reports mark such tasks as unvalidated; a best score on them may be worth nothing. A
    ``command`` task's program is not read and counts as unvalidated. Score code of other systems refuses in
    ways of its own: ShinkaEvolve's by ``validate_fn`` or ``correct.json``, OpenEvolve's by a text under
    ``error`` or by raising.
    """
    evaluation = task.spec.evaluation
    if task.trusted is not None:
        try:
            return bool(_WORDS.search(inspect.getsource(task.trusted)))
        except (OSError, TypeError):
            return False
    if task.folder is None or evaluation.kind == "command":
        return False
    name = evaluation.score if evaluation.kind == "split" else evaluation.evaluate
    words = _FOREIGN_WORDS.get(evaluation.kind, _WORDS)
    return bool(words.search((task.folder / name).read_text(encoding="utf-8")))
