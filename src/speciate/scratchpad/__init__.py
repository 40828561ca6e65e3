"""scratchpad."""
