import os
import pickle
import subprocess
import sys
import tempfile

SCRIPT = """
import pickle, sys
sys.path.insert(0, {folder!r})
import numpy
from openevolve import EvaluationResult
from initial_program import run
with open({answer!r}, "wb") as file:
    pickle.dump(numpy.asarray(run()), file)
"""


def run_apart(program_path, seconds):
    with tempfile.TemporaryDirectory() as folder:
        answer = os.path.join(folder, "answer.pkl")
        script = os.path.join(folder, "script.py")
        with open(script, "w") as file:
            file.write(SCRIPT.format(folder=os.path.dirname(program_path), answer=answer))
        ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=seconds)
        if ran.returncode:
            raise RuntimeError(f"the program ended with {ran.returncode}: {ran.stderr[-200:]}")
        with open(answer, "rb") as file:
            return pickle.load(file)


def evaluate(program_path):
    try:
        numbers = run_apart(program_path, seconds=20)
    except subprocess.TimeoutExpired:
        return {"combined_score": 0.0, "error": "timeout"}
    except Exception as error:
        return {"combined_score": 0.0, "error": str(error)}
    return {"combined_score": float(numbers.max() - numbers.min())}
