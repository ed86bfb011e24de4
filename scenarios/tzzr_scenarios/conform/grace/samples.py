"""S-CONTRACT requests, written from contract §1: one good request per module, and what they are about."""

from __future__ import annotations

import base64
import hashlib
import io
import math
import struct
import wave
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import rfc8785
from PIL import Image, ImageDraw, PngImagePlugin

from tzzr_mcp.seams import Clock, Dice

Json = dict[str, Any]

TEXT: Final = "La factura de servicios de consultoría del mes de enero se paga por transferencia bancaria."
ENGLISH: Final = "The weather was wonderful this morning and we walked along the river with our friends."
LONG: Final = (
    "El ayuntamiento presentó ayer el plan de obras del barrio antiguo. Las obras empiezan en marzo y duran ocho meses. "
    "El presupuesto es de dos millones de euros y lo paga en parte la comunidad autónoma. Los vecinos piden que el "
    "mercado siga abierto durante las obras. El concejal promete reuniones cada mes con los comerciantes de la zona. "
    "La calle mayor será peatonal y tendrá árboles, bancos y una fuente nueva en la plaza del mercado."
)
INVOICE: Final = (
    "🧾 FACTURA\nNúmero de factura: 2026-0042\nFecha de emisión: 15/01/2026\nFecha de vencimiento: 14/02/2026\n"
    "Emisor: Talleres Ibarra SL\nNIF: B58818501\nCliente: Ana López Ruiz\nNIF: 12345678Z\n"
    "Base imponible: 1.000,00 €\nIVA 21 %: 210,00 €\nTotal: 1.210,00 €\nIBAN: ES91 2100 0418 4502 0005 1332\n"
)
"""A simple invoice that adds up and whose check digits are right; it begins with a character of four bytes."""
OCTETS: Final = bytes(range(256))
PICTURE: Final = (240, 64)
"""Width and height of the picture, in pixels."""
SPEECH_S: Final = 1.5
"""Seconds of the recording."""


@dataclass(frozen=True)
class Author:
    """Who writes requests: its clock and its dice make the stamps that contract §1 wants."""

    clock: Clock
    dice: Dice

    def stamped(self, asked: Mapping[str, Any], **envelope: Any) -> Json:
        """What is asked, with ids and time; ``envelope`` adds to them or replaces them."""
        now = self.clock.now()
        stamps = {
            "trace_id": str(self.dice.uuid4()),
            "idempotency_key": key(asked),
            "timestamp": f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z",
        }
        return {**asked, "envelope": {**stamps, **envelope}}


def key(asked: Mapping[str, Any]) -> str:
    """The idempotency key: SHA-256 over the canonical form (RFC 8785) of what is asked."""
    return hashlib.sha256(rfc8785.dumps(dict(asked))).hexdigest()


def text(module: str, content: str = TEXT, *, lang: str = "es", mode: str = "lenient", **params: Any) -> Json:
    """A text for a module, without ids."""
    payload: Json = {"type": "text", "encoding": "utf-8", "content": content}
    return _asked(module, "LITE", payload, params, lang=lang, mode=mode)


def binary(module: str, kind: str, media_type: str, octets: bytes, **params: Any) -> Json:
    """Octets for a module, in base64 and with their digest, without ids."""
    payload = {
        "type": kind,
        "encoding": "base64",
        "media_type": media_type,
        "content": base64.b64encode(octets).decode(),
        "sha256": hashlib.sha256(octets).hexdigest(),
    }
    return _asked(module, "FULL", payload, params, lang="es", mode="lenient")


def _asked(module: str, profile: str, payload: Json, params: Json, *, lang: str, mode: str) -> Json:
    return {
        "contract_version": "2.1",
        "profile": profile,
        "routing": {"module": module, "version": "1.0"},
        "context": {"lang": lang, "mode": mode},
        "payload": {**payload, "params": params} if params else payload,
    }


def good(module: str) -> Json:
    """The request that stands for a module."""
    return _GOOD[module]()


@cache
def picture() -> bytes:
    """A PNG with a line of text, which stands in its description too."""
    file, words = io.BytesIO(), PngImagePlugin.PngInfo()
    words.add_text("Description", "Factura 2026-0042 de Talleres Ibarra")
    drawn = Image.new("RGB", PICTURE, "white")
    ImageDraw.Draw(drawn).text((12, 20), "Factura 2026-0042 de Talleres Ibarra", fill="black")
    drawn.save(file, "PNG", pnginfo=words)
    return file.getvalue()


@cache
def speech() -> bytes:
    """A WAV of a soft tone, 8 kHz, mono."""
    file, rate = io.BytesIO(), 8000
    tones = (round(3000 * math.sin(2 * math.pi * 220 * index / rate)) for index in range(round(rate * SPEECH_S)))
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(b"".join(struct.pack("<h", tone) for tone in tones))
    return file.getvalue()


_GOOD: Final = {
    "CLASSIFIER": lambda: text("CLASSIFIER"),
    "SUMMARIZER": lambda: text("SUMMARIZER", LONG, max_words=30),
    "TRANSLATOR": lambda: text("TRANSLATOR", target_lang="en"),
    "EMBEDDINGS": lambda: text("EMBEDDINGS"),
    "SENTIMENT": lambda: text("SENTIMENT", "El trato fue excelente y el resultado, magnífico."),
    "OCR_CORE": lambda: binary("OCR_CORE", "image", "image/png", picture()),
    "IMAGE_CAPTION": lambda: binary("IMAGE_CAPTION", "image", "image/png", picture()),
    "ASR_ENGINE": lambda: binary("ASR_ENGINE", "audio", "audio/wav", speech()),
    "TTS_ENGINE": lambda: text("TTS_ENGINE", "Buenos días."),
    "FIELD_EXTRACTOR": lambda: text("FIELD_EXTRACTOR", INVOICE),
    "LANG_DETECT": lambda: text("LANG_DETECT", LONG, lang="auto"),
    "HASHER": lambda: text("HASHER"),
}
MODULES: Final = tuple(_GOOD)
"""The modules that are asked: those without a chain, and the heads of the two chains."""
CHAINS: Final[Mapping[str, tuple[str, ...]]] = {
    "OCR_CORE": ("OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI"),
    "ASR_ENGINE": ("ASR_WHISPER_LOCAL", "ASR_FASTER_WHISPER", "ASR_GROQ"),
}
"""The two fallback chains of the seed."""


def chain(module: str) -> tuple[str, ...]:
    """Who is tried for a module, in order."""
    return CHAINS.get(module, (module,))
