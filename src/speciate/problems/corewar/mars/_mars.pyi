from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

class Facts(TypedDict):
    jumps: bool
    fused: int
    compiler: str

def run(
    shape: tuple[int, ...],
    arrays: tuple[object, ...],
    rules: tuple[int, ...],
    results: tuple[NDArray[np.generic], ...],
    threads: int,
    /,
) -> None: ...
def state(
    shape: tuple[int, ...],
    arrays: tuple[object, ...],
    rules: tuple[int, ...],
    instructions: int,
    pairs: bool,
    /,
) -> tuple[bytes, int, list[list[int]]]: ...
def facts() -> Facts: ...
