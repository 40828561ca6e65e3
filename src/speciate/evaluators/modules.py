"""Importing a task's own Python files."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from speciate.errors import ScoreError
from speciate.records import text_hash


def load_module(path: Path) -> ModuleType:
    """Imports a Python file of a task under a name of its own; its folder is importable while it loads.

    Raises:
        ScoreError: the file is missing or raises while it is imported.
    """
    name = f"speciate_task_{text_hash(str(path.resolve()))[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ScoreError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses in the file look their module up by name
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ScoreError(f"{path} cannot be imported: {raised(error)}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def raised(error: BaseException) -> str:
    """Returns an exception in one line, with the place that raised it.

    Only the place: lines of score code may hold what a candidate must not know.
    """
    place = ""
    for entry in traceback.extract_tb(error.__traceback__)[-1:]:
        place = f" ({Path(entry.filename).name}, line {entry.lineno})"
    said = f": {error}" if str(error) else ""
    return f"{type(error).__name__}{said}{place}"
