"""Judges the example: how many boxes were used."""


def score(given: str, printed: str) -> float:
    """Returns the number of boxes; raises ValueError for an answer against the rules."""
    n, capacity, *weights = map(int, given.split())
    boxes = [int(word) for word in printed.split()]
    if len(boxes) != n or not all(0 <= box < n for box in boxes):
        raise ValueError(f"expected {n} boxes from 0 to {n - 1}")
    load = dict.fromkeys(boxes, 0)
    for box, weight in zip(boxes, weights, strict=True):
        load[box] += weight
    full = next((box for box, total in load.items() if total > capacity), None)
    if full is not None:
        raise ValueError(f"box {full} holds {load[full]}, more than {capacity}")
    return len(load)
