"""Each row of contract §5, and what the wire's two doors refuse."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest

from tests.contract.examples_of import valid_requests
from tzzr_mcp.contract.errors import ArgumentInvalid, Code, ContractError
from tzzr_mcp.contract.translation import (
    Document,
    instant,
    parse_request,
    request_for,
    serialise,
    text_payload,
    translate,
)

TRACE = UUID("0f8fad5b-d9cb-469f-a165-70867728950e")
NOW = datetime(2026, 1, 4, 10, 15, 30, 123000, tzinfo=UTC)
PNG = b"\x89PNG\r\n\x1a\n....."
WAV = b"RIFF\x00\x00\x00\x00WAVEfmt "


def _wire(tool: str, arguments: dict[str, Any], document: Document | None = None) -> dict[str, Any]:
    return serialise(translate(tool, arguments, trace_id=TRACE, timestamp=NOW, document=document))


def _encoded(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


def test_the_seeds_example_is_translated_as_the_seed_shows() -> None:
    # Seed §3.2; the ids are the call's.
    wire = _wire("clasificar", {"texto": "Factura de servicios...", "idioma": "es"})

    assert wire == valid_requests()["classifier"]


@pytest.mark.parametrize(
    ("tool", "arguments", "lang", "params"),
    [
        ("clasificar", {"categorias": ["a", "b"]}, "es", {"categories": ["a", "b"]}),
        ("clasificar", {"idioma": "ca"}, "ca", None),
        ("resumir", {"max_palabras": 50, "formato": "puntos"}, "es", {"max_words": 50, "style": "bullets"}),
        ("resumir", {"max_palabras": 120, "formato": "parrafo"}, "es", None),
        ("resumir", {"max_palabras": 50.0}, "es", {"max_words": 50}),
        ("traducir", {"idioma_destino": "en"}, "auto", {"target_lang": "en"}),
        ("traducir", {"idioma_destino": "en", "idioma_origen": "fr"}, "fr", {"target_lang": "en"}),
        ("extraer_campos", {"campos": ["total"]}, "es", {"fields": ["total"]}),
        ("embeddings", {"dimensiones": 64}, "es", {"dimensions": 64}),
        ("detectar_idioma", {}, "auto", None),
        ("generar_hash", {"algoritmo": "sha512"}, "es", {"algorithm": "sha512"}),
        ("generar_hash", {"algoritmo": "sha256"}, "es", None),
    ],
)
def test_a_tool_of_text_becomes_its_contract(
    tool: str, arguments: dict[str, Any], lang: str, params: dict[str, Any] | None
) -> None:
    wire = _wire(tool, {"texto": "  Hola\r\n", **arguments})

    assert wire["profile"] == "LITE"
    assert wire["context"] == {"lang": lang, "mode": "strict"}
    assert wire["payload"].pop("params", None) == params
    assert wire["payload"] == {"type": "text", "encoding": "utf-8", "content": "  Hola\r\n"}


def test_the_lenient_mode_reaches_the_contract() -> None:
    assert _wire("clasificar", {"texto": "a", "modo": "lenient"})["context"]["mode"] == "lenient"


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "octets", "media_type"),
    [
        ("ocr", {"imagen_base64": _encoded(PNG)}, "image", PNG, "image/png"),
        ("ocr", {"imagen_base64": _encoded(PNG), "tipo_mime": "image/png"}, "image", PNG, "image/png"),
        ("ocr", {"imagen_base64": _encoded(b"?"), "tipo_mime": "image/webp"}, "image", b"?", "image/webp"),
        ("transcribir", {"audio_base64": _encoded(WAV)}, "audio", WAV, "audio/wav"),
        ("generar_hash", {"contenido_base64": _encoded(PNG)}, "binary", PNG, "application/octet-stream"),
    ],
)
def test_a_file_in_base64_becomes_a_payload_of_profile_full(
    tool: str, arguments: dict[str, Any], kind: str, octets: bytes, media_type: str
) -> None:
    wire = _wire(tool, arguments)

    assert wire["profile"] == "FULL"
    assert wire["payload"] == {
        "type": kind,
        "encoding": "base64",
        "media_type": media_type,
        "content": _encoded(octets),
        "sha256": hashlib.sha256(octets).hexdigest(),
    }


@pytest.mark.parametrize("document", [Document(PNG), Document(PNG, "image/png")])
def test_a_file_that_the_server_read_becomes_the_same_payload(document: Document) -> None:
    by_path = _wire("ocr", {"archivo": "foto.png", "paginas": [2]}, document)
    by_bytes = _wire("ocr", {"imagen_base64": _encoded(PNG), "paginas": [2]})

    assert by_path == by_bytes


def test_what_a_file_is_says_the_caller_or_else_its_name() -> None:
    unknown = Document(b"?", "image/webp")
    assert _wire("ocr", {"archivo": "foto"}, unknown)["payload"]["media_type"] == "image/webp"
    told = _wire("ocr", {"archivo": "foto", "tipo_mime": "image/tiff"}, unknown)
    assert told["payload"]["media_type"] == "image/tiff"


def test_a_whole_number_goes_out_without_a_fraction() -> None:
    wire = _wire("ocr", {"archivo": "foto.png", "paginas": [2.0, 3]}, Document(PNG))
    assert json.dumps(wire["payload"]["params"]) == '{"pages": [2, 3]}'
    wire = _wire("resumir", {"texto": "a", "max_palabras": 50.0})
    assert json.dumps(wire["payload"]["params"]) == '{"max_words": 50}'


def test_base64_with_a_control_character_is_told_to_be_no_base64() -> None:
    with pytest.raises(ArgumentInvalid, match="no es base64 válido"):
        _wire("ocr", {"imagen_base64": "\x00"})


def test_nobody_is_asked_for_parts_unless_told_so() -> None:
    context = {"lang": "es", "mode": "strict"}
    request = request_for("CLASSIFIER", text_payload("a"), context, trace_id=TRACE, timestamp=NOW)
    assert "stream" not in serialise(request)["envelope"]
    asked = request_for("CLASSIFIER", text_payload("a"), context, trace_id=TRACE, timestamp=NOW, stream=True)
    assert serialise(asked)["envelope"]["stream"] is True
    assert asked.envelope.idempotency_key == request.envelope.idempotency_key


def test_a_recording_is_understood_in_any_language_unless_told() -> None:
    wire = _wire("transcribir", {"archivo": "voz.wav", "marcas_de_tiempo": True}, Document(WAV))

    assert wire["context"]["lang"] == "auto"
    assert wire["payload"]["params"] == {"timestamps": True}


def test_a_path_without_its_document_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match=r"^archivo was given without the document that it names$"):
        _wire("ocr", {"archivo": "foto.png"})


def test_a_tool_of_another_service_is_not_translated() -> None:
    with pytest.raises(KeyError):
        _wire("buscar_tags", {"consulta": "factura"})


def test_what_slips_past_the_tools_schema_is_refused_by_the_contract() -> None:
    with pytest.raises(ContractError) as refused:
        _wire("traducir", {"texto": "a", "idioma_destino": "auto"})

    assert not isinstance(refused.value, ArgumentInvalid)
    assert refused.value.failure.code is Code.CONTRACT_INVALID
    assert [error["pointer"] for error in refused.value.failure.details["errors"]] == ["/payload/params/target_lang"]
    assert refused.value.failure.message == (
        "La petición no cumple S-CONTRACT 2.1 (en /payload/params/target_lang); revise los argumentos de la llamada."
    )


@pytest.mark.parametrize("module", ["NO_SUCH", ""])
def test_a_module_that_does_not_exist_is_refused_where_it_stands(module: str) -> None:
    context = {"lang": "es", "mode": "strict"}
    with pytest.raises(ContractError) as refused:
        request_for(module, text_payload("a"), context, trace_id=TRACE, timestamp=NOW)

    assert [error["pointer"] for error in refused.value.failure.details["errors"]] == ["/routing/module"]


def test_params_without_a_canonical_form_are_refused_where_they_stand() -> None:
    payload = {**text_payload("a"), "params": {"dimensions": 2**60}}
    with pytest.raises(ContractError) as refused:
        request_for("EMBEDDINGS", payload, {"lang": "es", "mode": "strict"}, trace_id=TRACE, timestamp=NOW)

    assert [error["pointer"] for error in refused.value.failure.details["errors"]] == ["/payload/params/dimensions"]


def test_an_instant_is_written_in_utc_with_milliseconds() -> None:
    assert instant(NOW) == "2026-01-04T10:15:30.123Z"
    assert instant(NOW.astimezone(timezone(timedelta(hours=1)))) == "2026-01-04T10:15:30.123Z"
    assert instant(datetime(2026, 1, 4, tzinfo=UTC)) == "2026-01-04T00:00:00.000Z"


def test_an_instant_is_the_same_wherever_the_machine_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        told = instant(NOW)
    time.tzset()
    assert told == "2026-01-04T10:15:30.123Z"


def test_an_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        instant(datetime(2026, 1, 4))  # noqa: DTZ001


@pytest.mark.parametrize("raw", [b"", b"{", "nada", b"\xff\xfe", "[" * 100_000])
def test_what_is_not_json_is_an_invalid_contract(raw: bytes | str) -> None:
    with pytest.raises(ContractError) as refused:
        parse_request(raw)

    assert refused.value.failure.code is Code.CONTRACT_INVALID
    assert refused.value.failure.details["errors"] == [{"pointer": "", "message": "not JSON"}]
    assert refused.value.failure.message == (
        "La petición no cumple S-CONTRACT 2.1 (en /); revise los argumentos de la llamada."
    )


@pytest.mark.parametrize("raw", ["7", "[]", "null", "{}"])
def test_json_that_is_no_request_is_an_invalid_contract(raw: str) -> None:
    with pytest.raises(ContractError) as refused:
        parse_request(raw)

    assert refused.value.failure.code is Code.CONTRACT_INVALID


def test_a_key_that_is_not_the_digest_of_what_is_asked_is_refused_where_it_stands() -> None:
    document = copy.deepcopy(valid_requests()["classifier"])
    document["envelope"]["idempotency_key"] = "0" * 64
    with pytest.raises(ContractError) as refused:
        parse_request(document)

    wrong = {"pointer": "/envelope/idempotency_key", "message": "not the digest of what is asked"}
    assert refused.value.failure.details["errors"] == [wrong]


@pytest.mark.parametrize(("version", "quoted"), [("3.0", "3.0"), ("9" * 30, "9" * 20)])
def test_another_version_is_told_which_are_supported(version: str, quoted: str) -> None:
    document = {**valid_requests()["classifier"], "contract_version": version}
    with pytest.raises(ContractError) as refused:
        parse_request(json.dumps(document))

    assert refused.value.failure.code is Code.CONTRACT_VERSION_UNSUPPORTED
    assert refused.value.failure.details == {"supported": ["2.1"]}
    assert refused.value.failure.message == f"La versión {quoted} de S-CONTRACT no está admitida; se acepta la 2.1."


def test_a_request_cannot_be_changed() -> None:
    request = translate("detectar_idioma", {"texto": "a"}, trace_id=TRACE, timestamp=NOW)

    with pytest.raises(ValueError, match="frozen"):
        request.profile = "FULL"
