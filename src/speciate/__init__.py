"""speciate: evolve programs with a population of different minds."""

__version__ = "0.1.0"
