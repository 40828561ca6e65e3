"""Formats of task folders, each recognised by its files."""

from speciate.tasks.formats.recognise import FORMATS, Format, format_of
from speciate.tasks.formats.shims import shims_folder

__all__ = ["FORMATS", "Format", "format_of", "shims_folder"]
