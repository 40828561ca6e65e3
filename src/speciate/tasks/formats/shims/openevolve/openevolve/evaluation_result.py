"""What an evaluator may return instead of a dict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Artifact: TypeAlias = str | bytes


@dataclass
class EvaluationResult:
    """Metrics with artifacts.

    Attributes:
        metrics: numbers by name; ``combined_score`` counts.
        artifacts: further output by name, for the next prompt.
    """

    metrics: dict[str, float]
    artifacts: dict[str, Artifact] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, metrics: Mapping[str, float]) -> EvaluationResult:
        """Returns a result without artifacts."""
        return cls(dict(metrics))

    def to_dict(self) -> dict[str, float]:
        """Returns the metrics."""
        return self.metrics

    def has_artifacts(self) -> bool:
        """Says whether there are any."""
        return bool(self.artifacts)

    def get_artifact_keys(self) -> list[str]:
        """Returns their names."""
        return list(self.artifacts)

    def get_artifact_size(self, key: str) -> int:
        """Returns the bytes of one; 0 if there is none of that name."""
        return len(_bytes(self.artifacts.get(key, b"")))

    def get_total_artifact_size(self) -> int:
        """Returns the bytes of all."""
        return sum(self.get_artifact_size(key) for key in self.artifacts)


def _bytes(artifact: Artifact) -> bytes:
    return artifact if isinstance(artifact, bytes) else str(artifact).encode("utf-8", "replace")
