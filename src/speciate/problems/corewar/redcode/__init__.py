"""Redcode: from source text to warriors and back."""
