"""Keeps to the contract without the helper: arguments in, two files out."""

import argparse
import json
import os

from points import read_points, worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program_path", required=True)
    parser.add_argument("--results_dir", required=True)
    given = parser.parse_args()
    os.makedirs(given.results_dir, exist_ok=True)
    namespace = {}
    with open(given.program_path) as file:
        exec(compile(file.read(), given.program_path, "exec"), namespace)
    error = worst(namespace["guess"], read_points(os.path.join(os.path.dirname(__file__), "data", "roots.csv")))
    print("x" * 100_000)
    correct = error < 1.0
    with open(os.path.join(given.results_dir, "correct.json"), "w") as file:
        json.dump({"correct": correct, "error": None if correct else f"off by {error:.3f}"}, file)
    with open(os.path.join(given.results_dir, "metrics.json"), "w") as file:
        json.dump({"combined_score": -error, "public": {"worst": error}, "private": {}, "extra_data": [1, 2]}, file)
    with open(os.path.join(given.results_dir, "table.txt"), "w") as file:
        file.write("a table for the next prompt")


main()
