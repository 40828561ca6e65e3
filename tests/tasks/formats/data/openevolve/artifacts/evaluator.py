import json
import runpy
from pathlib import Path

from openevolve.evaluation_result import EvaluationResult

FORBIDDEN = json.loads((Path(__file__).parent / "forbidden.json").read_text())


def evaluate(program_path):
    words = runpy.run_path(program_path)["words"]()
    broken = sorted(set(words) & set(FORBIDDEN))
    if broken:
        return EvaluationResult(
            metrics={"combined_score": 0.0, "error": f"forbidden: {', '.join(broken)}"},
            artifacts={"stderr": "see the list"},
        )
    lengths = [len(word) for word in words]
    result = EvaluationResult(metrics={"combined_score": float(sum(lengths)), "lengths": lengths})
    result.artifacts["table"] = "\n".join(f"{word} {len(word)}" for word in words)
    result.artifacts["raw"] = " ".join(words).encode() + b"\xff"
    assert result.has_artifacts() and result.get_artifact_keys() == ["table", "raw"]
    return result
