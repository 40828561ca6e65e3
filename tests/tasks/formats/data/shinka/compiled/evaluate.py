import argparse
import subprocess
import tempfile
from pathlib import Path

from shinka.core import save_json_results


def main(program_path, results_dir):
    with tempfile.TemporaryDirectory() as folder:
        binary = str(Path(folder) / "program")
        built = subprocess.run(["cc", "-O1", "-o", binary, program_path, "-lm"], capture_output=True, text=True)
        if built.returncode:
            save_json_results(results_dir, {"combined_score": 0.0}, False, built.stderr)
            return
        ran = subprocess.run([binary], capture_output=True, text=True, timeout=10, check=True)
    error = float(ran.stdout)
    save_json_results(results_dir, {"combined_score": 1.0 - error, "public": {"error": error}}, True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program_path")
    parser.add_argument("--results_dir")
    main(**vars(parser.parse_args()))
