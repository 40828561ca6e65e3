"""Vectors that a model gives: asked for once, recorded, and read again from the record."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speciate.llm import pack, unpack
from speciate.novelty import EMBED, EMBED_PARENT, NoveltyConfig, Verdict, build_novelty
from speciate.records import Reply, text_hash
from speciate.testing.gateways import Answer, ScriptedGateway
from speciate.testing.screenings import Past, screening


def compared(
    past: Past, *, parent: str | None = None, origin: int | None = None, before: int = 100, **settings: object
) -> Verdict:
    config = NoveltyConfig.model_validate({"embedding": "openai:m", "threshold": 0.9, **settings})
    asked = screening("y = 2", parent=parent, origin=origin, before=before)
    return asyncio.run(build_novelty(config, past.around).check(asked))


def past_with(vectors: dict[int, list[float]], *answers: Answer) -> tuple[Past, ScriptedGateway]:
    gateway = ScriptedGateway(answers)
    past = Past({ordinal: f"x = {ordinal}" for ordinal in vectors}, gateway)
    for ordinal, vector in vectors.items():
        note(past, ordinal, vector, told_by=ordinal)
    return past, gateway


def note(past: Past, ordinal: int, vector: list[float], *, told_by: int) -> None:
    text = pack(vector)
    past.texts[text_hash(text)] = text
    past.memory.note_vector(ordinal, text_hash(text), told_by=told_by)


def test_programs_are_compared_by_the_models_vectors() -> None:
    past, gateway = past_with({3: [1, 0], 5: [0.6, 0.8]}, pack([0.1, 1.0]))
    verdict = compared(past, threshold=0.8)
    assert (verdict.novel, verdict.nearest) == (False, 5)
    assert [(call.model, call.purpose) for call in gateway.calls] == [("openai:m?api=embeddings", EMBED)]


def test_a_parent_that_nobody_has_embedded_is_embedded() -> None:
    past, gateway = past_with({3: [1, 0]}, pack([0.0, 1.0]), pack([0.1, 1.0]))
    past.sources[7] = "x = 7"
    past.memory.note(7, 0, "")
    verdict = compared(past, parent="x = 7", origin=7)
    assert (verdict.novel, verdict.nearest) == (False, 7)
    assert [call.purpose for call in gateway.calls] == [EMBED_PARENT, EMBED]


def test_a_parent_that_is_known_is_not_asked_for_again() -> None:
    past, gateway = past_with({3: [1, 0]}, pack([0.0, 1.0]))
    assert compared(past, parent="x = 3", origin=3).novel
    assert len(gateway.calls) == 1


@pytest.mark.parametrize(("before", "novel"), [(60, True), (61, False)])
def test_a_vector_that_a_later_candidate_asked_for_is_not_seen(before: int, novel: bool) -> None:
    past, _ = past_with({3: [1, 0]}, pack([0.1, 1.0]))
    past.memory.note(4, 0, "")
    note(past, 4, [0.0, 1.0], told_by=60)
    assert compared(past, before=before).novel == novel


@pytest.mark.parametrize("answer", [Reply("", "m", error="busy"), "no vector", pack([1.0])[:-3]])
@pytest.mark.parametrize("policy", ["accept", "reject"])
def test_a_program_without_a_vector_is_undecided(answer: Answer, policy: str) -> None:
    past, _ = past_with({3: [1, 0]}, answer)
    verdict = compared(past, undecided=policy)
    assert verdict.check is not None
    assert (verdict.novel, verdict.check.verdict) == (policy == "accept", "undecided")


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40).filter(any))
def test_a_packed_vector_keeps_its_direction(values: list[float]) -> None:
    vector = np.array(values) / max(map(abs, values))
    packed = unpack(pack(values))
    assert packed is not None
    cosine = float(vector @ packed / np.linalg.norm(vector) / np.linalg.norm(packed))
    assert cosine > 1 - 1e-6


@pytest.mark.parametrize("values", [[], [0.0], [float("nan")], [float("inf"), 1.0]])
def test_what_has_no_direction_cannot_be_packed(values: list[float]) -> None:
    with pytest.raises(ValueError, match="vector"):
        pack(values)


@given(st.text(max_size=20))
def test_any_text_is_a_vector_or_none(text: str) -> None:
    vector = unpack(text)
    assert vector is None or vector.ndim == 1
