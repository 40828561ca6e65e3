"""Warriors that come with the package, and loading of folders of other people's."""

from speciate.problems.corewar.warriors.library import (
    Family,
    Loaded,
    Refused,
    Split,
    WarriorFile,
    fitting,
    load_builtin,
    load_folder,
)

__all__ = ["Family", "Loaded", "Refused", "Split", "WarriorFile", "fitting", "load_builtin", "load_folder"]
