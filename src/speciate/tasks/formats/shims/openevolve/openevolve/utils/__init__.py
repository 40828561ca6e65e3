"""Helpers that evaluators may import."""
