"""genetic."""
