"""novelty."""
