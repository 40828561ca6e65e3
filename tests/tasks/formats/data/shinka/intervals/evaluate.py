import argparse

import numpy as np
from shinka.core import run_shinka_eval

COUNT = 4
TOLERANCE = 1e-9


def arguments(run):
    return {"count": COUNT + run}


def validate(output):
    centres, widths, told = output
    if len(centres) < COUNT or len(widths) != len(centres):
        return False, f"expected at least {COUNT} intervals, got {len(centres)}"
    lows, highs = centres - widths / 2, centres + widths / 2
    if np.min(lows) < -TOLERANCE or np.max(highs) > 1 + TOLERANCE:
        return False, "an interval leaves [0, 1]"
    if np.any(lows[1:] < highs[:-1] - TOLERANCE):
        return False, "two intervals overlap"
    if abs(np.sum(widths) - told) > TOLERANCE:
        return False, f"told a sum of {told}"
    return True, None


def aggregate(results):
    covered = [float(np.sum(widths)) for _, widths, _ in results]
    return {
        "combined_score": np.mean(covered),
        "public": {"covered_worst": min(covered), "runs": len(results)},
        "private": {"secret_target": 1.0},
        "text_feedback": f"{1 - min(covered):.3f} of the line is bare",
        "extra_data": {"centres": results[0][0], "covered": covered},
    }


def main(program_path, results_dir):
    metrics, correct, error = run_shinka_eval(
        program_path=program_path,
        results_dir=results_dir,
        experiment_fn_name="run_placing",
        num_runs=2,
        get_experiment_kwargs=arguments,
        validate_fn=validate,
        aggregate_metrics_fn=aggregate,
    )
    print("correct:", correct, "error:", error, "metrics:", metrics)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program_path", type=str, default="initial.py")
    parser.add_argument("--results_dir", type=str, default="results")
    given = parser.parse_args()
    main(given.program_path, given.results_dir)
