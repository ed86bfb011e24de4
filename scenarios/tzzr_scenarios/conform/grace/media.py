"""The modules that see, hear and speak: OCR_CORE, IMAGE_CAPTION, ASR_ENGINE and TTS_ENGINE (contract §4)."""

from __future__ import annotations

import base64
import binascii
import io
import wave
from itertools import pairwise
from typing import Any, Final

from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.checks import TOLERANCE, confidences, has, language, number, objects, whole
from tzzr_scenarios.conform.grace.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

_NUMBER: Final = (int, float)
_NEAR_S: Final = 0.1
"""Seconds that a told duration may be away from the file's own."""


@BOOK.rule("ocr.form", "§4: OCR_*")
async def reads_a_picture(probe: Probe) -> None:
    """The result has ``text``, ``confidence``, ``language`` and at least one of ``pages``."""
    answer = await probe.good("OCR_CORE")
    has(answer, {"text": str, "confidence": _NUMBER, "language": str, "pages": list})
    hold(answer, bool(answer.result["pages"]), "result.pages", "at least one", answer.result["pages"])


@BOOK.rule("ocr.pages", "§4: OCR_*, pages")
async def tells_each_page(probe: Probe) -> None:
    """A page has its ``page`` from 1 on and its ``text``."""
    answer = await probe.good("OCR_CORE")
    for index, page in enumerate(objects(answer, "pages")):
        kept = whole(page.get("page")) and isinstance(page.get("text"), str)
        hold(answer, kept, f"result.pages[{index}]", "page from 1 on, and text", page)


@BOOK.rule("ocr.size", "§4: OCR_*, pages")
async def tells_the_size_of_a_page(probe: Probe) -> None:
    """``width_px`` and ``height_px`` of a page are the picture's."""
    answer = await probe.good("OCR_CORE")
    for index, page in enumerate(objects(answer, "pages")):
        _size(answer, page, f"result.pages[{index}]")


def _size(answer: Answer, told: dict[str, Any], part: str) -> None:
    came = (told.get("width_px", NOTHING), told.get("height_px", NOTHING))
    hold(answer, came == samples.PICTURE, f"{part}: width_px, height_px", list(samples.PICTURE), list(came))


@BOOK.rule("ocr.confidence", "§4: confidences")
async def is_sure_of_a_page_between_0_and_1(probe: Probe) -> None:
    """Every confidence, of the whole and of each page, is a number in [0, 1]."""
    answer = await probe.good("OCR_CORE")
    listed = [
        (f"pages[{i}].confidence", page.get("confidence", NOTHING)) for i, page in enumerate(objects(answer, "pages"))
    ]
    confidences(answer, [("confidence", answer.given("confidence", _NUMBER)), *listed])


@BOOK.rule("ocr.language", "§4: OCR_*, language")
async def names_the_language_of_a_picture(probe: Probe) -> None:
    """``language`` is two or three letters, und when nobody knows."""
    answer = await probe.good("OCR_CORE")
    came = answer.given("language", str)
    hold(answer, language(came), "result.language", "two or three letters", came)


@BOOK.rule("caption.form", "§4: IMAGE_CAPTION")
async def describes_a_picture(probe: Probe) -> None:
    """The result has a ``caption`` that says something."""
    answer = await probe.good("IMAGE_CAPTION")
    came = answer.result.get("caption", NOTHING)
    kept = isinstance(came, str) and came != NOTHING and bool(came.strip())
    hold(answer, kept, "result.caption", "a text", came)


@BOOK.rule("caption.size", "§4: IMAGE_CAPTION")
async def tells_the_size_of_a_picture(probe: Probe) -> None:
    """``width_px`` and ``height_px`` are the picture's."""
    answer = await probe.good("IMAGE_CAPTION")
    _size(answer, answer.result, "result")


@BOOK.rule("asr.form", "§4: ASR_*")
async def transcribes(probe: Probe) -> None:
    """The result has ``text``, ``language``, ``duration_s`` and the list ``segments``."""
    has(await probe.good("ASR_ENGINE"), {"text": str, "language": str, "duration_s": _NUMBER, "segments": list})


@BOOK.rule("asr.duration", "§4: durations in seconds")
async def tells_how_long_a_recording_is(probe: Probe) -> None:
    """``duration_s`` is how long the recording is, in seconds."""
    answer = await probe.good("ASR_ENGINE")
    came = answer.given("duration_s", _NUMBER)
    hold(answer, abs(came - samples.SPEECH_S) <= _NEAR_S, "result.duration_s", samples.SPEECH_S, came)


def _segments(answer: Answer) -> list[dict[str, Any]]:
    listed = objects(answer, "segments")
    if not listed:
        raise NotJudged("there is no segment: nothing was heard")
    return listed


@BOOK.rule("asr.segment", "§4: ASR_*, segments")
async def tells_each_segment(probe: Probe) -> None:
    """A segment has ``start_s``, ``end_s``, ``text`` and a confidence in [0, 1]."""
    answer = await probe.ask(_timed())
    for index, each in enumerate(_segments(answer)):
        kept = number(each.get("start_s")) and number(each.get("end_s")) and isinstance(each.get("text"), str)
        hold(answer, kept, f"result.segments[{index}]", "start_s, end_s and text", each)
        confidences(answer, [(f"segments[{index}].confidence", each.get("confidence", NOTHING))])


@BOOK.rule("asr.order", "§4: ASR_*, segments")
async def tells_segments_in_order(probe: Probe) -> None:
    """Segments are in order, do not overlap, and lie within the recording."""
    answer = await probe.ask(_timed())
    spans: list[tuple[Any, Any]] = [(each.get("start_s"), each.get("end_s")) for each in _segments(answer)]
    if not all(number(start) and number(end) for start, end in spans):
        raise NotJudged("a segment has no times; see asr.segment")
    duration = answer.given("duration_s", _NUMBER)
    for start, end in spans:
        hold(answer, 0 <= start <= end <= duration + TOLERANCE, "a segment", f"within 0 and {duration}", [start, end])
    for before, after in pairwise(spans):
        hold(answer, after[0] >= before[1] - TOLERANCE, "a segment's start_s", f"from {before[1]} on", after[0])


def _timed() -> samples.Json:
    return samples.binary("ASR_ENGINE", "audio", "audio/wav", samples.speech(), timestamps=True)


@BOOK.rule("tts.form", "§4: TTS_ENGINE")
async def speaks(probe: Probe) -> None:
    """The result has ``audio_base64`` of media type audio/wav, and ``duration_s``."""
    answer = await probe.good("TTS_ENGINE")
    has(answer, {"audio_base64": str, "media_type": str, "duration_s": _NUMBER})
    hold(
        answer,
        answer.result["media_type"] == "audio/wav",
        "result.media_type",
        "audio/wav",
        answer.result["media_type"],
    )


@BOOK.rule("tts.audio", "§4: TTS_ENGINE")
async def speaks_in_a_wav(probe: Probe) -> None:
    """``audio_base64`` is a WAV file in standard, padded base64."""
    answer = await probe.good("TTS_ENGINE")
    hold(answer, _seconds(answer) is not None, "result.audio_base64", "a WAV file", answer.result["audio_base64"][:40])


@BOOK.rule("tts.duration", "§4: durations in seconds")
async def tells_how_long_it_speaks(probe: Probe) -> None:
    """``duration_s`` is how long the file is, in seconds."""
    answer = await probe.good("TTS_ENGINE")
    expected, came = _seconds(answer), answer.given("duration_s", _NUMBER)
    if expected is None:
        raise NotJudged("the audio is no WAV; see tts.audio")
    hold(answer, abs(came - expected) <= _NEAR_S, "result.duration_s", round(expected, 3), came)


def _seconds(answer: Answer) -> float | None:
    """How long the spoken WAV is, None when it is none."""
    try:
        octets = base64.b64decode(answer.given("audio_base64", str), validate=True)
        with wave.open(io.BytesIO(octets)) as sound:
            return float(sound.getnframes() / sound.getframerate())
    except (binascii.Error, wave.Error, EOFError):
        return None
