"""Languages a program may be written in: how their comments look, how their syntax is checked.

The table is data. Only what speciate itself needs is in it: comments (for EVOLVE-BLOCK markers), file
suffixes, and the command that checks syntax where a compiler can do so without running anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from speciate.errors import TaskError, nearest


@dataclass(frozen=True, slots=True)
class Language:
    """What speciate knows of a language.

    Attributes:
        name: its name in task.toml.
        suffixes: suffixes of its files; the first is used for new files.
        line: what starts a comment that ends with the line; may be empty.
        block: pairs of what opens and what closes a comment; may be empty.
        aliases: other names that task.toml may use.
        check_command: argument list that checks syntax and runs nothing, ``{program}`` standing for the
            entry file's path; empty where there is none.
    """

    name: str
    suffixes: tuple[str, ...]
    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()
    check_command: tuple[str, ...] = ()

    def comment(self, text: str) -> str | None:
        """Returns `text` as a one-line comment, or None for a language without comments."""
        if self.line:
            return f"{self.line[0]} {text}"
        if self.block:
            opening, closing = self.block[0]
            return f"{opening} {text} {closing}"
        return None


_SLASHES = ("//",)
_HASH = ("#",)
_STARS = (("/*", "*/"),)
_ANGLES = (("<!--", "-->"),)
_PARENS = (("(*", "*)"),)


def _syntax_only(compiler: str, kind: str, standard: str) -> tuple[str, ...]:
    return (compiler, "-fsyntax-only", "-x", kind, f"-std={standard}", "{program}")


LANGUAGES: tuple[Language, ...] = (
    Language("python", (".py", ".pyi"), _HASH, aliases=("py", "python3")),
    Language("c", (".c", ".h"), _SLASHES, _STARS, check_command=_syntax_only("gcc", "c", "c17")),
    Language(
        "cpp",
        (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"),
        _SLASHES,
        _STARS,
        aliases=("c++", "cxx"),
        check_command=_syntax_only("g++", "c++", "c++20"),
    ),
    Language("cuda", (".cu", ".cuh"), _SLASHES, _STARS),
    Language("go", (".go",), _SLASHES, _STARS, aliases=("golang",)),
    Language("rust", (".rs",), _SLASHES, _STARS, aliases=("rs",)),
    Language("julia", (".jl",), _HASH, (("#=", "=#"),), aliases=("jl",)),
    Language("fortran", (".f90", ".f95", ".f03", ".f08"), ("!",), aliases=("f90",)),
    Language("javascript", (".js", ".mjs", ".cjs"), _SLASHES, _STARS, aliases=("js",)),
    Language("typescript", (".ts", ".tsx"), _SLASHES, _STARS, aliases=("ts",)),
    Language("java", (".java",), _SLASHES, _STARS),
    Language("kotlin", (".kt", ".kts"), _SLASHES, _STARS),
    Language("csharp", (".cs",), _SLASHES, _STARS, aliases=("c#",)),
    Language("swift", (".swift",), _SLASHES, _STARS),
    Language("zig", (".zig",), _SLASHES),
    Language("r", (".r", ".R"), _HASH),
    Language("ruby", (".rb",), _HASH),
    Language("perl", (".pl", ".pm"), _HASH),
    Language("lua", (".lua",), ("--",), (("--[[", "]]"),)),
    Language("shell", (".sh", ".bash"), _HASH, aliases=("bash", "sh")),
    Language("haskell", (".hs",), ("--",), (("{-", "-}"),)),
    Language("ocaml", (".ml", ".mli"), block=_PARENS),
    Language("wolfram", (".wl", ".wls", ".m"), block=_PARENS, aliases=("mathematica",)),
    Language("lisp", (".lisp", ".scm", ".el"), (";",), (("#|", "|#"),), aliases=("scheme",)),
    Language("sql", (".sql",), ("--",), _STARS),
    Language("verilog", (".v", ".sv"), _SLASHES, _STARS, aliases=("systemverilog",)),
    Language("vhdl", (".vhd", ".vhdl"), ("--",)),
    Language("latex", (".tex",), ("%",), aliases=("tex",)),
    Language("toml", (".toml",), _HASH),
    Language("yaml", (".yaml", ".yml"), _HASH, aliases=("yml",)),
    Language("json", (".json",)),
    Language("markdown", (".md",), block=_ANGLES, aliases=("md",)),
    Language("html", (".html", ".htm", ".xml", ".svg"), block=_ANGLES, aliases=("xml", "svg")),
    Language("text", (".txt",), _HASH, _ANGLES, aliases=("plain",)),
    Language("redcode", (".red", ".rc"), (";",)),
)

_BY_NAME = {name: entry for entry in LANGUAGES for name in (entry.name, *entry.aliases)}
_BY_SUFFIX = {suffix: entry for entry in reversed(LANGUAGES) for suffix in entry.suffixes}


def language(name: str) -> Language:
    """Returns the language called `name` (or by one of its aliases, in any case).

    Raises:
        TaskError: there is none; the message names the nearest.
    """
    found = _BY_NAME.get(name.lower())
    if found is None:
        known = ", ".join(entry.name for entry in LANGUAGES)
        raise TaskError(f"unknown language {name!r}{nearest(name.lower(), _BY_NAME)} (known: {known})")
    return found


def language_of(path: str | PurePath) -> Language | None:
    """Returns the language a file name suggests, or None when its suffix is unknown."""
    suffix = PurePath(path).suffix
    return _BY_SUFFIX.get(suffix) or _BY_SUFFIX.get(suffix.lower())
