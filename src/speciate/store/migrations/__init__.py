"""Steps that bring the tables of an older version of speciate up to date."""

from speciate.store.migrations.upgrade import STEPS, Migration, check_version, upgrade, version

__all__ = ["STEPS", "Migration", "check_version", "upgrade", "version"]
