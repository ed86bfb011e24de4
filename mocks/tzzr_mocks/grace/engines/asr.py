"""ASR_WHISPER_LOCAL, ASR_FASTER_WHISPER and ASR_GROQ: one hearing, three providers that differ in confidence and pace.

Duration and format are read from the file. The words are those the file carries in its own metadata (RIFF
``ICMT``, ID3 or Vorbis lyrics or comment), else an invention from its digest, marked as such.
"""

from __future__ import annotations

from typing import Any

from . import params
from .invention import invented_speech
from .lang_detect import UNDETERMINED, guess
from .pace import cost_ms
from .port import Answer, Work
from .recordings import recording_of
from .sentences import split

__all__ = ["transcribe"]

_CONFIDENCES = {"ASR_WHISPER_LOCAL": 0.9, "ASR_FASTER_WHISPER": 0.92, "ASR_GROQ": 0.96}
_INVENTED_DISCOUNT = 0.12
_SECONDS_PER_INVENTED_SENTENCE = 3.0


def transcribe(work: Work) -> Answer:
    """``{text, language, duration_s, segments}``; ``segments`` is empty unless ``timestamps`` asks for them.

    Segments are the sentences, each given a share of the duration by its length: in order, within the
    duration, never overlapping. A recording of no length has no text.
    """
    stamped = params.flag(work, "timestamps", default=False)
    recording = recording_of(work)
    text = recording.text or _invented(work, recording.duration_s)
    invented = not recording.text and bool(text)
    confidence = _CONFIDENCES.get(work.module, min(_CONFIDENCES.values())) - _INVENTED_DISCOUNT * invented
    confidence = round(confidence, 4)
    result: dict[str, Any] = {
        "text": text,
        "language": _language(work, text),
        "duration_s": recording.duration_s,
        "segments": _segments(text, recording.duration_s, confidence) if stamped else [],
    }
    return Answer(result, confidence, invented, cost_ms(work.module, len(work.octets)))


def _invented(work: Work, duration_s: float) -> str:
    if not duration_s:
        return ""
    return invented_speech(work.octets, max(1, int(duration_s / _SECONDS_PER_INVENTED_SENTENCE)))


def _language(work: Work, text: str) -> str:
    guessed = guess(text)[0][0]
    if guessed != UNDETERMINED:
        return guessed
    return "es" if work.lang == "auto" else work.lang


def _segments(text: str, duration_s: float, confidence: float) -> list[dict[str, Any]]:
    sentences = split(text)
    total = sum(map(len, sentences))
    segments: list[dict[str, Any]] = []
    spoken, start = 0, 0.0
    for sentence in sentences:
        spoken += len(sentence)
        end = min(duration_s, round(duration_s * spoken / total, 3))
        segments.append({"start_s": start, "end_s": end, "text": sentence, "confidence": confidence})
        start = end
    return segments
