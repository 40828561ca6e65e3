"""by_model."""
