import argparse
import os

from shinka.core.wrap_eval import run_shinka_eval


def validate(result):
    return result.value == result.value, "not a number"


def aggregate(results):
    return {
        "combined_score": -sum(abs(result.value - (number + 1) ** 2) for number, result in enumerate(results)),
        "public": {"elsewhere": all(result.process != os.getpid() for result in results)},
    }


def main(program_path: str, results_dir: str):
    run_shinka_eval(
        program_path,
        results_dir,
        "answer",
        4,
        aggregate_metrics_fn=aggregate,
        validate_fn=validate,
        run_workers=3,
        max_workers_cap=2,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program_path")
    parser.add_argument("--results_dir")
    main(**vars(parser.parse_args()))
