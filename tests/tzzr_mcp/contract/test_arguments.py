"""What a schema cannot say about arguments is said in one Spanish sentence, with the argument's name."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from tzzr_mcp.contract.arguments import source_of
from tzzr_mcp.contract.catalogue import LIMIT_BASE64, LIMIT_BYTES
from tzzr_mcp.contract.errors import ArgumentInvalid, Code
from tzzr_mcp.contract.translation import Document, translate

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n....").decode()


def _refused(tool: str, arguments: dict[str, Any], document: Document | None = None) -> ArgumentInvalid:
    with pytest.raises(ArgumentInvalid) as refused:
        translate(
            tool,
            arguments,
            trace_id=UUID(int=1, version=4),
            timestamp=datetime(2026, 1, 4, tzinfo=UTC),
            document=document,
        )
    message = refused.value.failure.message
    assert message.endswith(".")
    assert "\n" not in message
    return refused.value


@pytest.mark.parametrize(
    ("tool", "arguments", "names"),
    [
        ("ocr", {}, ["imagen_base64", "archivo"]),
        ("ocr", {"idioma": "es"}, ["imagen_base64", "archivo"]),
        ("transcribir", {"audio_base64": "AAAA", "archivo": "x"}, ["audio_base64", "archivo"]),
        ("generar_hash", {"texto": "a", "contenido_base64": "AAAA"}, ["texto", "contenido_base64"]),
    ],
)
def test_content_comes_from_exactly_one_argument(tool: str, arguments: dict[str, Any], names: list[str]) -> None:
    error = _refused(tool, arguments)

    assert error.failure.details["accepted"] == names
    assert all(f"«{name}»" in error.failure.message for name in names)


def test_the_source_is_known_before_anything_is_read() -> None:
    assert source_of("ocr", {"archivo": "x"}) == "archivo"
    assert source_of("clasificar", {"texto": "x"}) == "texto"


@pytest.mark.parametrize("text", [" ", "\t\r\n", "\u00a0\u2003"])
def test_a_blank_text_is_refused(text: str) -> None:
    error = _refused("clasificar", {"texto": text})

    assert error.argument == "texto"
    assert "en blanco" in error.failure.message


@pytest.mark.parametrize(("bad", "name"), [("\x00", "U+0000"), ("\ud800", "U+D800"), ("\udfff", "U+DFFF")])
@pytest.mark.parametrize(
    ("argument", "arguments"),
    [("texto", {"texto": "ab{}c"}), ("categorias", {"texto": "a", "categorias": ["a", "ab{}c"]})],
)
def test_a_character_that_cannot_be_sent_is_named_with_its_place(
    bad: str, name: str, argument: str, arguments: dict[str, Any]
) -> None:
    filled = {
        key: [item.format(bad) for item in value] if isinstance(value, list) else value.format(bad)
        for key, value in arguments.items()
    }
    error = _refused("clasificar", filled)

    assert error.argument == argument
    assert f"{name} en la posición 3" in error.failure.message


def test_a_blank_category_is_refused() -> None:
    assert _refused("clasificar", {"texto": "a", "categorias": ["a", " "]}).argument == "categorias"


@pytest.mark.parametrize(
    "text", ["a", "AAA", "====", "AA==AA==", "AAAA\n", "-_-_", "data:image/png;base64,AAAA", "ñandú", "A" * 4 + "\x00"]
)
def test_what_is_not_strict_base64_is_refused(text: str) -> None:
    error = _refused("generar_hash", {"contenido_base64": text})

    assert error.argument == "contenido_base64"
    assert "base64" in error.failure.message


def test_text_of_more_than_seven_mebibytes_is_refused() -> None:
    error = _refused("clasificar", {"texto": "ñ" * (LIMIT_BYTES // 2 + 1)})

    assert error.failure.details == {
        "argument": "texto",
        "limit_bytes": LIMIT_BYTES,
        "size_bytes": LIMIT_BYTES + 2,
    }
    assert "7.340.034 bytes; se aceptan como mucho 7.340.032" in error.failure.message


@pytest.mark.parametrize("length", [LIMIT_BASE64, LIMIT_BASE64 + 4])
def test_base64_of_more_than_seven_mebibytes_is_refused(length: int) -> None:
    error = _refused("generar_hash", {"contenido_base64": "A" * length})

    assert error.failure.details["size_bytes"] > LIMIT_BYTES


def test_the_size_is_checked_before_anything_is_decoded() -> None:
    error = _refused("generar_hash", {"contenido_base64": "!" * (LIMIT_BASE64 + 4)})

    assert "base64" not in error.failure.message.removeprefix("El argumento «contenido_base64»")
    assert error.failure.details["size_bytes"] > LIMIT_BYTES


def test_the_largest_content_is_taken() -> None:
    request = translate(
        "generar_hash",
        {"contenido_base64": base64.b64encode(bytes(LIMIT_BYTES)).decode()},
        trace_id=UUID(int=1, version=4),
        timestamp=datetime(2026, 1, 4, tzinfo=UTC),
    )

    assert len(request.payload.octets()) == LIMIT_BYTES


def test_an_empty_file_is_refused() -> None:
    error = _refused("ocr", {"archivo": "vacio.png"}, Document(b"", "image/png"))

    assert error.argument == "archivo"
    assert "0 bytes" in error.failure.message


def test_a_file_of_no_known_type_is_refused_with_its_first_bytes() -> None:
    error = _refused("ocr", {"imagen_base64": base64.b64encode(b"hola").decode()})

    assert error.failure.code is Code.MEDIA_TYPE_UNKNOWN
    assert "68 6f 6c 61" in error.failure.message
    assert "image/png" in error.failure.details["accepted"]


def test_a_declared_type_that_the_bytes_contradict_is_refused() -> None:
    error = _refused("ocr", {"imagen_base64": PNG, "tipo_mime": "image/jpeg"})

    assert error.argument == "tipo_mime"
    assert error.failure.details["accepted"] == ["image/png"]


def test_an_image_is_no_recording() -> None:
    error = _refused("transcribir", {"audio_base64": PNG})

    assert error.argument == "audio_base64"
    assert "es image/png" in error.failure.message


def test_a_document_whose_declared_type_is_not_accepted_is_refused() -> None:
    error = _refused("ocr", {"archivo": "nota.txt"}, Document(b"hola", "text/plain"))

    assert error.failure.code is Code.MEDIA_TYPE_UNKNOWN
