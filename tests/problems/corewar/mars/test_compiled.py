from __future__ import annotations

import ast
from types import FunctionType

import pytest
from numba.core import caching

from speciate.problems.corewar.mars import compiled, kernel, rounds


def test_compiling_leaves_the_readable_kernel_interpreted() -> None:
    compiled.compiled("bare")
    assert isinstance(kernel.execute, FunctionType)
    assert isinstance(rounds.run, FunctionType)


def test_indices_are_unsigned_and_what_is_not_counted_is_left_out() -> None:
    tree = ast.parse("if law.limited: m.core[at] = other.limited")
    shaped = compiled._Shaper({"limited": 0}).visit(tree)
    assert ast.unparse(shaped) == "if 0:\n    m.core[unsigned(at)] = other.limited"


def test_what_is_inlined_and_what_is_kept_exists() -> None:
    assert {*vars(kernel), *vars(rounds)} >= compiled._INLINED | compiled._CALLED


def test_without_a_folder_for_the_cache_it_is_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])

    def run(number: int) -> int:
        return 2 * number

    function = compiled._jit(run)
    assert callable(function)
    assert function(21) == 42
    assert "cannot cache function" in caplog.text
    assert "NUMBA_CACHE_DIR" in caplog.text
