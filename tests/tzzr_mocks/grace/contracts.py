"""S-CONTRACT requests for the worker's tests, written from CONTRACT §1."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import wave
from typing import Any

from PIL import Image, PngImagePlugin

TRACE = "0f8fad5b-d9cb-469f-a165-70867728950e"


def text_request(module: str, content: str = "Factura de servicios de consultoría", **params: Any) -> dict[str, Any]:
    """A request with a text payload and a key of its own."""
    payload: dict[str, Any] = {"type": "text", "encoding": "utf-8", "content": content}
    return _request(module, "LITE", payload, params)


def binary_request(module: str, kind: str, media_type: str, octets: bytes, **params: Any) -> dict[str, Any]:
    """A request with a base64 payload and its digest."""
    payload = {
        "type": kind,
        "encoding": "base64",
        "media_type": media_type,
        "content": base64.b64encode(octets).decode(),
        "sha256": hashlib.sha256(octets).hexdigest(),
    }
    return _request(module, "FULL", payload, params)


def _request(module: str, profile: str, payload: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    if params:
        payload = {**payload, "params": params}
    asked = {
        "contract_version": "2.1",
        "profile": profile,
        "routing": {"module": module, "version": "1.0"},
        "context": {"lang": "es", "mode": "strict"},
        "payload": payload,
    }
    key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    return {**asked, "envelope": {"trace_id": TRACE, "idempotency_key": key, "timestamp": "2026-01-04T10:15:30.123Z"}}


def speech(seconds: float = 1.0) -> bytes:
    """A silent WAV."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(2 * round(8000 * seconds)))
    return file.getvalue()


def png() -> bytes:
    """A white picture with text beside it."""
    file, words = io.BytesIO(), PngImagePlugin.PngInfo()
    words.add_text("Description", "Factura 2026-001 de Talleres Ibarra")
    Image.new("RGB", (64, 32), "white").save(file, "PNG", pnginfo=words)
    return file.getvalue()
