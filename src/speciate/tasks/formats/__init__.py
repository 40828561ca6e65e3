"""Formats of task folders, each recognised by its files."""

from speciate.tasks.formats.recognise import FORMATS, Format, format_of

__all__ = ["FORMATS", "Format", "format_of"]
