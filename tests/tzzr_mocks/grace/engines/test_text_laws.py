"""What holds for every text: results fit the contract, and the same text has the same answer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .laws import TEXT_MODULES, ask, office_texts, texts


@pytest.mark.parametrize("module", TEXT_MODULES)
@settings(max_examples=25, deadline=None)
@given(text=st.one_of(texts, office_texts))
def test_any_text_has_a_result_that_fits_the_contract_and_repeats(module: str, text: str) -> None:
    assert ask(module, text) == ask(module, text)


@settings(max_examples=25, deadline=None)
@given(text=st.one_of(texts, office_texts), names=st.lists(texts, min_size=2, max_size=8, unique=True))
def test_shares_of_categories_add_up_to_one_and_are_sorted(text: str, names: list[str]) -> None:
    result = ask("CLASSIFIER", text, categories=names).result
    shares = [result["confidence"], *(other["confidence"] for other in result["alternatives"])]
    assert abs(math.fsum(shares) - 1) <= 1e-6
    assert shares == sorted(shares, reverse=True)
    assert {result["category"], *(other["category"] for other in result["alternatives"])} == set(names)


@settings(max_examples=25, deadline=None)
@given(text=st.one_of(texts, office_texts), limit=st.integers(10, 60), style=st.sampled_from(["paragraph", "bullets"]))
def test_a_summary_keeps_to_its_words_and_says_how_many_they_are(text: str, limit: int, style: str) -> None:
    result = ask("SUMMARIZER", text, max_words=limit, style=style).result
    words = [word for word in result["summary"].split() if any(mark.isalnum() or mark == "_" for mark in word)]
    assert result["words"] == max(1, len(words)) <= limit


@settings(max_examples=25, deadline=None)
@given(text=st.one_of(texts, office_texts), dimensions=st.integers(64, 1024))
def test_a_vector_has_its_dimensions_and_length_one(text: str, dimensions: int) -> None:
    (vector,) = ask("EMBEDDINGS", text, dimensions=dimensions).result["vectors"]
    assert len(vector) == dimensions
    assert abs(math.hypot(*vector) - 1) <= 1e-6


@settings(max_examples=25, deadline=None)
@given(text=st.one_of(texts, office_texts), target=st.sampled_from(["en", "es"]))
def test_a_translation_into_its_own_language_is_the_text_itself(text: str, target: str) -> None:
    assert ask("TRANSLATOR", text, lang=target, target_lang=target).result["text"] == text


@settings(max_examples=25, deadline=None)
@given(text=st.one_of(texts, office_texts), pair=st.sampled_from([("es", "en"), ("en", "es")]))
def test_any_text_can_be_translated_and_numbers_stay(text: str, pair: tuple[str, str]) -> None:
    result = ask("TRANSLATOR", f"{text} 4711", lang=pair[0], target_lang=pair[1]).result
    assert result["text"].endswith("4711")


@settings(max_examples=25, deadline=None)
@given(text=st.one_of(texts, office_texts))
def test_likely_languages_are_sorted_and_never_more_than_certain(text: str) -> None:
    result = ask("LANG_DETECT", text).result
    shares = [result["confidence"], *(other["confidence"] for other in result["alternatives"])]
    assert shares == sorted(shares, reverse=True)
    assert math.fsum(shares) <= 1 + 1e-3
