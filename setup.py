"""Builds the optional C extension of Core War's simulator; everything else is in pyproject.toml.

The instructions of the C engines are written by `speciate.problems.corewar.mars.generate` while it is built.
A machine without a compiler gets the package without the extension.
"""

import os
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
MARS = Path("src/speciate/problems/corewar/mars")
SOURCES = ["module.c", "batch.c", "round.c", "other.c", "portable.c", "fast_pair.c", "fast_melee.c"]
SANITIZED = "-fsanitize" in os.environ.get("CFLAGS", "")
FLAGS = [*(["-O0"] if SANITIZED else ["-O2", "-g0"]), "-fno-strict-overflow"]
GCC_FLAGS = [
    *("-fno-gcse", "-fno-crossjumping"),  # both would merge the jumps that make the fast engines fast
    *(
        "-fno-tree-fre",
        "-fno-tree-pre",
        "-fno-thread-jumps",
        "-fno-tree-sink",
    ),  # minutes, and nothing to find
]


def write_generated(folder: Path) -> None:
    """Writes the generated C, without importing the package: what it needs may not be installed yet."""
    name = ""
    for part in MARS.relative_to("src").parts:
        name = f"{name}.{part}" if name else part
        stand_in = ModuleType(name)
        stand_in.__path__ = [str(ROOT / "src" / name.replace(".", "/"))]
        sys.modules[name] = stand_in
    import_module(f"{name}.generate").write(folder)


class BuildMars(build_ext):
    """Writes the generated C before the compiler runs, and adds the flags that the compiler knows."""

    def build_extension(self, extension: Extension) -> None:
        """Builds the extension, in a folder of generated headers."""
        folder = Path(self.build_temp) / "mars"
        write_generated(folder)
        extension.include_dirs.append(str(folder))
        if self.compiler.compiler_type == "unix":
            extension.extra_compile_args.extend(FLAGS)
            if "clang" not in " ".join(self.compiler.compiler_so):
                extension.extra_compile_args.extend(GCC_FLAGS)
        super().build_extension(extension)


setup(
    cmdclass={"build_ext": BuildMars},
    ext_modules=[
        Extension(
            "speciate.problems.corewar.mars._mars",
            sources=[str(MARS / "c" / name) for name in SOURCES],
            depends=[
                str(path) for path in sorted([*MARS.glob("c/*"), MARS / "generate.py", MARS / "semantics.py"])
            ],
            include_dirs=[str(MARS / "c")],
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
