"""The simulator: battles in bulk, exact and fast."""
