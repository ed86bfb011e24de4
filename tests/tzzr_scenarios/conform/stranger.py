"""Another S-CONTRACT service: small, over plain HTTP, written from the contract's text and from nothing of ours.

It has four modules; the others are there, and down. ``MISTAKES`` are what it can be told to do wrong.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import uuid
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

MISTAKES = ("no-milliseconds", "characters", "unknown-fields", "always-retry", "sure-of-too-much")

TEXT_MODULES = {"CLASSIFIER", "SUMMARIZER", "TRANSLATOR", "EMBEDDINGS", "SENTIMENT", "TTS_ENGINE", "FIELD_EXTRACTOR",
                "LANG_DETECT"}  # fmt: skip
IMAGE_MODULES = {"OCR_CORE", "OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI", "IMAGE_CAPTION"}
AUDIO_MODULES = {"ASR_ENGINE", "ASR_WHISPER_LOCAL", "ASR_FASTER_WHISPER", "ASR_GROQ"}
CHAINS = {"OCR_CORE": ["OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI"],
          "ASR_ENGINE": ["ASR_WHISPER_LOCAL", "ASR_FASTER_WHISPER", "ASR_GROQ"]}  # fmt: skip
IMAGES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8", "image/tiff": b"II", "image/webp": b"RIFF",
          "application/pdf": b"%PDF"}  # fmt: skip
AUDIOS = {"audio/wav": b"RIFF", "audio/mpeg": b"", "audio/ogg": b"OggS", "audio/flac": b"fLaC", "audio/mp4": b""}
SEVEN_MIB = 7 * 2**20
RETRYABLE = {"MODULE_UNAVAILABLE", "FALLBACK_EXHAUSTED"}


class Refused(Exception):
    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code, self.message, self.details = code, message, details


def invalid(pointer: str, message: str, code: str = "CONTRACT_INVALID") -> Refused:
    return Refused(code, message, errors=[{"pointer": pointer, "message": message}])


class Stranger:
    """An ASGI application; ``wrong`` names its mistakes."""

    def __init__(self, wrong: Iterable[str] = ()) -> None:
        self.wrong = set(wrong)
        self.asked = 0

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        self.asked += 1
        answer = json.dumps(self.answer(json.loads(body))).encode()
        head = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": answer})

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        routing = request.get("routing", {})
        name = routing.get("module", "")
        envelope = {key: value for key, value in request.get("envelope", {}).items() if key != "stream"}
        envelope["timestamp"] = (
            "2026-03-01T12:00:00Z" if "no-milliseconds" in self.wrong else "2026-03-01T12:00:00.500Z"
        )
        told: dict[str, Any] = {"contract_version": "2.1", "profile": request.get("profile"), "envelope": envelope,
                "routing": {"module": name, "version": "1.0", "resolved": None, "attempts": []},
                "status": "ERROR", "result": None, "failure": None,
                "metrics": {"duration_ms": 1, "simulated": True, "invented": False}}  # fmt: skip
        try:
            self.check(request)
            told["routing"]["attempts"], result = self.run(request, name)
        except Refused as refused:
            told["failure"] = self.failure(refused)
            return told
        if result is None:
            code = "FALLBACK_EXHAUSTED" if name in CHAINS else "MODULE_UNAVAILABLE"
            told["failure"] = self.failure(Refused(code, "nobody is at home"))
            return told
        told["routing"]["resolved"] = name
        return {**told, "status": "OK", "result": result}

    def failure(self, refused: Refused) -> dict[str, Any]:
        retryable = "always-retry" in self.wrong or refused.code in RETRYABLE
        told = {"code": refused.code, "message": refused.message, "retryable": retryable}
        return {**told, "details": refused.details} if refused.details else told

    def run(self, request: dict[str, Any], name: str) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
        payload = request["payload"]
        work = {"CLASSIFIER": self.classify, "SENTIMENT": self.feel, "LANG_DETECT": self.tell, "HASHER": self.digest}
        if name in work:
            return [{"module": name, "status": "OK", "duration_ms": 1}], work[name](payload, payload.get("params", {}))
        down = {"code": "MODULE_UNAVAILABLE", "message": "down", "retryable": True}
        tried = [
            {"module": each, "status": "ERROR", "error": down, "duration_ms": 0} for each in CHAINS.get(name, [name])
        ]
        return tried, None

    def classify(self, payload: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
        first, *others = params.get("categories", ["documento", "otro"])
        sure = 0.6 if "sure-of-too-much" in self.wrong else 0.5
        rest = [{"category": other, "confidence": 0.5 / len(others)} for other in others]
        return {"category": first, "confidence": sure, "alternatives": rest}

    def feel(self, payload: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
        return {"label": "neutral", "score": 0.0}

    def tell(self, payload: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
        english = " the " in payload["content"]
        return {"language": "en" if english else "es", "confidence": 0.8, "alternatives": []}

    def digest(self, payload: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
        octets = payload["content"].encode() if payload["type"] == "text" else base64.b64decode(payload["content"])
        name = params.get("algorithm", "sha256")
        size = len(payload["content"]) if "characters" in self.wrong and payload["type"] == "text" else len(octets)
        return {"algorithm": name, "digest": hashlib.new(name, octets).hexdigest(), "size_bytes": size}

    def check(self, request: dict[str, Any]) -> None:
        if request.get("contract_version") != "2.1":
            raise Refused("CONTRACT_VERSION_UNSUPPORTED", "2.1 is spoken here", supported=["2.1"])
        self.known(request, "", {"contract_version", "profile", "envelope", "routing", "context", "payload"})
        self.check_stamps(request["envelope"])
        self.check_routing(request)
        self.check_context(request["context"])
        self.check_payload(request)

    def known(self, part: Any, where: str, names: set[str], optional: Iterable[str] = ()) -> None:
        for name in sorted(names - part.keys()):
            raise invalid(f"{where}/{name}", "missing")
        if "unknown-fields" not in self.wrong:
            for name in sorted(part.keys() - names - set(optional)):
                raise invalid(f"{where}/{name}", "unknown")

    def check_stamps(self, envelope: dict[str, Any]) -> None:
        self.known(envelope, "/envelope", {"trace_id", "idempotency_key", "timestamp"}, ["stream"])
        if uuid.UUID(envelope["trace_id"]).version != 4:
            raise invalid("/envelope/trace_id", "no UUID of version 4")
        if not re.fullmatch("[0-9a-f]{64}", envelope["idempotency_key"]):
            raise invalid("/envelope/idempotency_key", "no SHA-256")
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", envelope["timestamp"]):
            raise invalid("/envelope/timestamp", "no time in UTC with milliseconds")
        if not isinstance(envelope.get("stream", False), bool):
            raise invalid("/envelope/stream", "neither true nor false")

    def check_routing(self, request: dict[str, Any]) -> None:
        routing = request["routing"]
        if routing.get("module", "HASHER") not in TEXT_MODULES | IMAGE_MODULES | AUDIO_MODULES | {"HASHER"}:
            raise Refused("MODULE_UNKNOWN", "there is no such module", module=routing["module"])
        self.known(routing, "/routing", {"module", "version"})
        if routing["version"] != "1.0":
            raise invalid("/routing/version", "not 1.0")

    def check_context(self, context: dict[str, Any]) -> None:
        self.known(context, "/context", {"lang", "mode"})
        if context["mode"] not in ("strict", "lenient"):
            raise invalid("/context/mode", "neither strict nor lenient")
        if not re.fullmatch("[a-z]{2,3}|auto", context["lang"]):
            raise invalid("/context/lang", "no primary subtag")

    def check_payload(self, request: dict[str, Any]) -> None:
        payload, name = request["payload"], request["routing"]["module"]
        self.known(payload, "/payload", {"type", "encoding", "content"}, ["media_type", "params", "sha256"])
        self.check_kind(name, payload)
        if (payload["type"] == "text") == (request["profile"] == "FULL"):
            raise invalid("/profile", "text is LITE, the rest FULL")
        if payload["type"] == "text":
            self.check_text(payload)
        else:
            self.check_octets(payload)
        self.check_params(name, payload.get("params"))

    def check_kind(self, name: str, payload: dict[str, Any]) -> None:
        taken = ["text"] if name in TEXT_MODULES else ["image"] if name in IMAGE_MODULES else ["audio"]
        taken = ["text", "image", "audio", "binary"] if name == "HASHER" else taken
        if payload["type"] not in taken:
            raise Refused("PAYLOAD_UNSUPPORTED", f"{name} takes {taken}", accepted=taken)
        media = {"image": [*IMAGES], "audio": [*AUDIOS]}.get(payload["type"])
        if media and payload.get("media_type", media[0]) not in media:
            raise Refused("PAYLOAD_UNSUPPORTED", f"{name} takes {media}", accepted=media)

    def check_text(self, payload: dict[str, Any]) -> None:
        size = len(payload["content"].encode())
        if size > SEVEN_MIB:
            raise Refused("PAYLOAD_TOO_LARGE", "too large", limit_bytes=SEVEN_MIB, size_bytes=size)
        if "media_type" in payload:
            raise invalid("/payload/media_type", "text has none")
        if not payload["content"].strip() or "\0" in payload["content"]:
            raise invalid("/payload/content", "blank, or NUL in it")

    def check_octets(self, payload: dict[str, Any]) -> None:
        for name in ("media_type", "sha256"):
            if name not in payload:
                raise invalid(f"/payload/{name}", "missing")
        try:
            octets = base64.b64decode(payload["content"], validate=True)
        except ValueError:
            raise Refused("PAYLOAD_CORRUPT", "no base64") from None
        if hashlib.sha256(octets).hexdigest() != payload["sha256"]:
            raise Refused("PAYLOAD_CORRUPT", "another digest")
        if not octets.startswith({**IMAGES, **AUDIOS}.get(payload["media_type"], b"")):
            raise Refused("PAYLOAD_CORRUPT", f"no {payload['media_type']}")

    def check_params(self, name: str, params: dict[str, Any] | None) -> None:
        for key, value in (params or {}).items():
            if not fits(name, key, value):
                raise invalid(f"/payload/params/{key}", "unknown, or not allowed", "PARAMS_INVALID")
        if name == "TRANSLATOR" and "target_lang" not in (params or {}):
            raise invalid("/payload/params/target_lang", "missing", "PARAMS_INVALID")


def fits(name: str, key: str, value: Any) -> bool:
    if (name, key) == ("CLASSIFIER", "categories"):
        return 2 <= len(value) <= 50 and len(set(value)) == len(value)
    if (name, key) == ("SUMMARIZER", "max_words"):
        return isinstance(value, int) and 10 <= value <= 1000
    if (name, key) == ("EMBEDDINGS", "dimensions"):
        return isinstance(value, int) and 64 <= value <= 1024
    if (name, key) == ("HASHER", "algorithm"):
        return value in ("sha256", "sha512", "sha3_256", "blake2b")
    return (name, key) in {("TRANSLATOR", "target_lang"), ("FIELD_EXTRACTOR", "fields"), ("ASR_ENGINE", "timestamps")}
