import argparse

from shinka.core import run_shinka_eval

parser = argparse.ArgumentParser()
parser.add_argument("--program_path", required=True)
parser.add_argument("--results_dir", required=True)
given = parser.parse_args()

run_shinka_eval(
    program_path=given.program_path,
    results_dir=given.results_dir,
    experiment_fn_name="shoot",
    num_runs=30,
    aggregate_metrics_fn=lambda results: {
        "combined_score": sum(results) / len(results),
        "public": {"runs": len(results)},
    },
    early_stop_method="bayesian",
    early_stop_threshold=1.0,
    early_stop_score_fn=lambda result: result,
    early_stop_kwargs={"min_trials": 4, "prob_cutoff": 0.01},
)
