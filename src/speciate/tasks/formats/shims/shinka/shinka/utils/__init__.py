"""Helpers that evaluation scripts may import."""
