"""ASR: real durations, the words that a recording carries, and what it does not carry invented and marked."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tzzr_mocks.grace.engines import Answer, EngineError

from .files import flac, mp3, png, wav
from .laws import ask

MODULES = ("ASR_WHISPER_LOCAL", "ASR_FASTER_WHISPER", "ASR_GROQ")


def hear(content: bytes, media_type: str = "audio/wav", module: str = "ASR_GROQ", **params: Any) -> Answer:
    return ask(module, content, lang="auto", media_type=media_type, **params)


def test_the_comment_of_a_wav_is_its_transcript() -> None:
    answer = hear(wav(2.5, "Buenos días. Empezamos la reunión."), timestamps=True)
    assert answer.result["text"] == "Buenos días. Empezamos la reunión."
    assert answer.result["duration_s"] == 2.5
    assert answer.result["language"] == "es"
    assert [segment["text"] for segment in answer.result["segments"]] == ["Buenos días.", "Empezamos la reunión."]
    assert not answer.invented


def test_the_lyrics_of_an_mp3_are_its_transcript() -> None:
    answer = hear(mp3(100, "The meeting will begin at nine o'clock."), "audio/mpeg")
    assert answer.result["text"] == "The meeting will begin at nine o'clock."
    assert answer.result["language"] == "en"
    assert answer.result["duration_s"] == pytest.approx(100 * 1152 / 44_100, abs=0.05)


def test_a_flac_is_as_long_as_its_head_says() -> None:
    assert hear(flac(7), "audio/flac").result["duration_s"] == 7.0


def test_without_words_of_its_own_a_recording_is_given_some_and_marked() -> None:
    answer = hear(wav(4.0))
    assert answer.invented
    assert answer.result["text"]
    assert answer == hear(wav(4.0))


def test_a_recording_of_no_length_has_no_text() -> None:
    answer = hear(wav(0.0), timestamps=True)
    assert (answer.result["text"], answer.result["segments"], answer.invented) == ("", [], False)


def test_segments_come_only_when_they_are_asked_for() -> None:
    assert hear(wav(4.0)).result["segments"] == []
    assert hear(wav(4.0), timestamps=True).result["segments"]


@settings(max_examples=30, deadline=None)
@given(
    seconds=st.floats(0.01, 20),
    words=st.lists(st.sampled_from(["Hola.", "Sí.", "¿Qué tal está usted?", "Bien"]), min_size=1),
)
def test_segments_are_in_order_within_the_duration_and_do_not_overlap(seconds: float, words: list[str]) -> None:
    result = hear(wav(seconds, " ".join(words)), timestamps=True).result
    segments = result["segments"]
    assert segments
    assert all(0 <= part["start_s"] <= part["end_s"] <= result["duration_s"] for part in segments)
    assert all(one["end_s"] <= other["start_s"] for one, other in pairwise(segments))
    assert " ".join(part["text"] for part in segments) == result["text"]


def test_the_providers_differ_in_confidence_and_pace_alone() -> None:
    answers = [hear(wav(1.0, "Hola a todos"), module=module) for module in MODULES]
    assert len({answer.result["text"] for answer in answers}) == 1
    assert len({answer.confidence for answer in answers}) == len({answer.cost_ms for answer in answers}) == 3


@pytest.mark.parametrize("media_type", ["audio/wav", "audio/mpeg", "audio/ogg", "audio/flac", "audio/mp4"])
@settings(max_examples=25, deadline=None)
@given(content=st.one_of(st.binary(min_size=1, max_size=200), st.just(png())))
def test_bytes_that_are_no_recording_are_corrupt_and_never_a_crash(media_type: str, content: bytes) -> None:
    with pytest.raises(EngineError) as caught:
        hear(content, media_type)
    assert caught.value.code == "PAYLOAD_CORRUPT"


def test_a_type_that_is_no_audio_is_unsupported_and_told_what_is() -> None:
    with pytest.raises(EngineError) as caught:
        hear(wav(1.0), "video/mp4")
    assert caught.value.code == "PAYLOAD_UNSUPPORTED"
    assert "audio/wav" in caught.value.details["accepted"]


def test_whether_to_stamp_times_is_yes_or_no() -> None:
    with pytest.raises(EngineError) as caught:
        hear(wav(1.0), timestamps="yes")
    assert caught.value.code == "PARAMS_INVALID"
