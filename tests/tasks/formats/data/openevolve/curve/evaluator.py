import importlib.util
import math


def evaluate(program_path):
    spec = importlib.util.spec_from_file_location("program", program_path)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    errors = [abs(program.guess(i / 10) - math.sqrt(i / 10)) for i in range(11)]
    return {"closeness": 1 - max(errors), "smoothness": 0.5, "size": 20.0, "passed": True}
