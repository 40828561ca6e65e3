import runpy

from openevolve.evaluation_result import EvaluationResult


def evaluate_stage1(program_path):
    value = runpy.run_path(program_path)["first"]
    return {"combined_score": value, "first": value}


def evaluate_stage2(program_path):
    value = runpy.run_path(program_path)["second"]
    return EvaluationResult(metrics={"combined_score": value, "second": value}, artifacts={"note": f"two: {value}"})


def evaluate_stage3(program_path):
    value = runpy.run_path(program_path)["third"]
    return EvaluationResult(metrics={"combined_score": value, "third": value})


def evaluate(program_path):
    raise RuntimeError("a cascade does not call this")
