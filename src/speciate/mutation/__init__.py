"""mutation."""
