"""The tables of a history, and how steps are written in them."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = 1
"""Version of these tables. Raise it with every change and add the step to `migrations`."""

STEP_CODES = {
    "chosen": 1,
    "asked": 2,
    "replied": 3,
    "rejected": 4,
    "patched": 5,
    "started": 6,
    "evaluated": 7,
    "placed": 8,
    "migrated": 9,
    "epoch_opened": 10,
    "round_ended": 11,
    "island_opened": 12,
    "noted": 13,
    "arms_changed": 14,
    "reworded": 15,
    "joined": 16,
    "published": 17,
    "received": 18,
    "drained": 19,
}
"""Steps as they are stored. Part of the format: codes are added, never changed."""

STEP_NAMES = {code: step for step, code in STEP_CODES.items()}

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("name", String, primary_key=True),  # "schema" or "manifest"
    Column("value", Text, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("started", Float, nullable=False),
    Column("ended", Float),
    Column("stop_reason", String),
    Column("seconds", Float, nullable=False),
    Column("facts", Text, nullable=False),
)

# Preset dictionaries of the compressor, see `packing`.
dictionaries = Table(
    "dictionaries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# Random hashes fill the pages of an index by about two thirds. So only the hashes pay for it, and the data
# lie in a table that grows at its end.
texts = Table(
    "texts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("codec", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# Parts recur (a context's hash, the purpose of a call) and would otherwise be written twice in every row.
parts = Table(
    "parts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("part", String, nullable=False, unique=True),
)

events = Table(
    "events",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("ordinal", Integer, nullable=False),
    Column("attempt", SmallInteger, nullable=False),
    Column("step", SmallInteger, nullable=False),
    Column("part", Integer, ForeignKey("parts.id"), nullable=False),
    Column("at", Integer, nullable=False),  # milliseconds since 1970
    Column("codec", Integer, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    UniqueConstraint("ordinal", "attempt", "step", "part", name="events_key"),
)
