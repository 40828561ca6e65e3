"""bandits."""
