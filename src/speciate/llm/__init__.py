"""Language models behind one string, their prices, budgets, retries and recordings."""

from speciate.llm.base import LLM
from speciate.llm.cassette import Cassette, Recorder, Recording, Reenactment, Replay, Take
from speciate.llm.catalog import FREE, Price, PriceEntry, Rate, price_of, price_table
from speciate.llm.characters import CHARACTERS, Character, GuestCharacter, Habit, character_names
from speciate.llm.command import CommandLLM
from speciate.llm.config import LLMConfig, ModelPrice, RetryConfig
from speciate.llm.credentials import Credential, Source, find_credential, sources
from speciate.llm.ledger import Ledger, Reservation, worst_case
from speciate.llm.open import known_specs, model_kinds, open_llm
from speciate.llm.pool import LLMPool
from speciate.llm.providers import is_installed
from speciate.llm.scripted import Choose, Script, ScriptedLLM, ScriptedReply, read_script
from speciate.llm.secrets import redact
from speciate.llm.simulated import SimulatedLLM
from speciate.llm.spec import Spec, located, parse_spec, prompt_variant, takes_grammar
from speciate.llm.spool import SpoolLLM
from speciate.llm.vectors import pack, unpack
from speciate.llm.vendors import EXTRA, VENDORS, Vendor

__all__ = [
    "CHARACTERS",
    "EXTRA",
    "FREE",
    "LLM",
    "VENDORS",
    "Cassette",
    "Character",
    "Choose",
    "CommandLLM",
    "Credential",
    "GuestCharacter",
    "Habit",
    "LLMConfig",
    "LLMPool",
    "Ledger",
    "ModelPrice",
    "Price",
    "PriceEntry",
    "Rate",
    "Recorder",
    "Recording",
    "Reenactment",
    "Replay",
    "Reservation",
    "RetryConfig",
    "Script",
    "ScriptedLLM",
    "ScriptedReply",
    "SimulatedLLM",
    "Source",
    "Spec",
    "SpoolLLM",
    "Take",
    "Vendor",
    "character_names",
    "find_credential",
    "is_installed",
    "known_specs",
    "located",
    "model_kinds",
    "open_llm",
    "pack",
    "parse_spec",
    "price_of",
    "price_table",
    "prompt_variant",
    "read_script",
    "redact",
    "sources",
    "takes_grammar",
    "unpack",
    "worst_case",
]
