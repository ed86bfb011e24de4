"""What a refusal says, word for word: a person reads it, and a program its details."""

from __future__ import annotations

import copy
import json
from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter, ValidationError

from tests.contract.examples_of import valid_requests, valid_responses
from tzzr_mcp.contract.arguments import check_size, check_strings, decoded, media_type_of, source_of
from tzzr_mcp.contract.catalogue import LIMIT_BASE64, LIMIT_BYTES, MEDIA_TYPES, chain_of
from tzzr_mcp.contract.errors import ArgumentInvalid, Code
from tzzr_mcp.contract.extraction import _when
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.shapes import Absent, Count, OneOf, Strict, Timestamp, Unique, details_of, pointer

PNG, WAV = b"\x89PNG\r\n\x1a\n....", b"RIFF\x00\x00\x00\x00WAVEfmt "
IMAGES = ", ".join(MEDIA_TYPES["image"])
BASE64 = "base64 estándar, con relleno, sin saltos de línea ni prefijo «data:»"
SIZES = {"limit_bytes": LIMIT_BYTES}

ARGUMENTS: dict[str, tuple[Any, str, str, dict[str, Any]]] = {
    "no source": (
        lambda: source_of("ocr", {}), "imagen_base64",
        "Indique exactamente uno de estos argumentos: «imagen_base64» o «archivo» (no llegó ninguno).",
        {"accepted": ["imagen_base64", "archivo"], "given": []},
    ),
    "two sources": (
        lambda: source_of("generar_hash", {"contenido_base64": "", "texto": ""}), "texto",
        "Indique exactamente uno de estos argumentos: «texto» o «contenido_base64» (llegaron todos).",
        {"accepted": ["texto", "contenido_base64"], "given": ["texto", "contenido_base64"]},
    ),
    "a lone surrogate": (
        lambda: check_strings({"texto": "ab\ud800"}), "texto",
        ("El argumento «texto» contiene un carácter que no se puede enviar (U+D800 en la posición 3); "
        "se acepta texto Unicode sin caracteres nulos ni sustitutos sueltos."),
        {"position": 2},
    ),
    "blank": (
        lambda: check_strings({"categorias": ["a", " \t"]}), "categorias",
        "El argumento «categorias» está en blanco (\" \\t\"); se acepta un texto con algún carácter visible.", {},
    ),
    "empty": (
        lambda: check_size("archivo", 0), "archivo",
        "El argumento «archivo» no tiene contenido (0 bytes); se acepta de 1 byte a 7 MiB.", {**SIZES, "size_bytes": 0},
    ),
    "one byte too many": (
        lambda: check_size("archivo", LIMIT_BYTES + 1), "archivo",
        "El argumento «archivo» ocupa 7.340.033 bytes; se aceptan como mucho 7.340.032 (7 MiB).",
        {**SIZES, "size_bytes": LIMIT_BYTES + 1},
    ),
    "base64 too long": (
        lambda: decoded("audio_base64", "A" * (LIMIT_BASE64 + 5)), "audio_base64",
        f"El argumento «audio_base64» ocupa {(LIMIT_BASE64 + 5) * 3 // 4:,} bytes; ".replace(",", ".")
        + "se aceptan como mucho 7.340.032 (7 MiB).",
        {**SIZES, "size_bytes": (LIMIT_BASE64 + 5) * 3 // 4},
    ),
    "base64 of nothing": (
        lambda: decoded("audio_base64", ""), "audio_base64",
        "El argumento «audio_base64» no tiene contenido (0 bytes); se acepta de 1 byte a 7 MiB.",
        {**SIZES, "size_bytes": 0},
    ),
    "no base64": (
        lambda: decoded("audio_base64", "data:x"), "audio_base64",
        f"El argumento «audio_base64» no es base64 válido (\"data:x\"); se acepta {BASE64}.", {"accepted": BASE64},
    ),
    "an unknown file": (
        lambda: media_type_of("image", "archivo", b"holamundo", None), "archivo",
        ("No se reconoce el tipo de «archivo» (primeros bytes: 68 6f 6c 61 6d 75 6e 64); "
        f"se acepta una imagen o un PDF de tipo {IMAGES}."),
        {"accepted": list(MEDIA_TYPES["image"])},
    ),
    "a declared type that is wrong": (
        lambda: media_type_of("image", "archivo", PNG, "image/tiff"), "tipo_mime",
        ("El argumento «tipo_mime» dice \"image/tiff\" pero el contenido de «archivo» es image/png; "
        "corrija «tipo_mime» o quítelo."),
        {"accepted": ["image/png"]},
    ),
    "a recording for an image": (
        lambda: media_type_of("image", "archivo", WAV, None), "archivo",
        f"El contenido de «archivo» es audio/wav; se acepta una imagen o un PDF de tipo {IMAGES}.",
        {"accepted": list(MEDIA_TYPES["image"])},
    ),
    "a recording declared as an image": (
        lambda: media_type_of("image", "archivo", WAV, "image/png"), "archivo",
        f"El contenido de «archivo» es audio/wav; se acepta una imagen o un PDF de tipo {IMAGES}.",
        {"accepted": list(MEDIA_TYPES["image"])},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ARGUMENTS)
def test_an_argument_is_refused_in_one_sentence_with_what_is_accepted(case: str) -> None:
    act, name, message, details = ARGUMENTS[case]
    with pytest.raises(ArgumentInvalid) as refused:
        act()
    failure = refused.value.failure
    code = Code.MEDIA_TYPE_UNKNOWN if case == "an unknown file" else Code.ARGUMENT_INVALID
    assert (failure.code, failure.message) == (code, message)
    assert {key: value for key, value in failure.details.items() if key != "argument"} == details
    assert failure.details["argument"] == name


def test_the_largest_base64_is_read_before_its_size_is_told() -> None:
    with pytest.raises(ArgumentInvalid, match="no es base64"):
        decoded("audio_base64", "?" * LIMIT_BASE64)


def told(model: type[Request | Response], document: Any, **changes: Any) -> list[tuple[str, str]]:
    document = copy.deepcopy(document)
    for path, value in changes.items():
        *way, last = path.split("__")
        parent = document
        for step in way:
            parent = parent[step]
        parent[last] = value
    with pytest.raises(ValidationError) as refused:
        model.model_validate(document)
    return [(error["pointer"], error["message"]) for error in details_of(refused.value)]


PROBLEM = {"code": "INTERNAL", "message": "x", "retryable": False}
NOBODY = "nobody can have answered"


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"result": None}, [("/result", "null exactly when status is ERROR")]),
        ({"failure": PROBLEM}, [("/failure", "set exactly when status is ERROR")]),
        ({"routing__resolved": None}, [
            ("/routing/resolved", "None cannot have answered with OK"),
            ("/routing/attempts", "not the chain CLASSIFIER up to the module that answered"),
        ]),
        ({"status": "DEGRADED"}, [("/routing/module", "CLASSIFIER has no chain to fall back on")]),
        ({"routing__attempts": []}, [
            ("/routing/attempts", "not the chain CLASSIFIER up to the module that answered"),
        ]),
        ({"routing__module": "X" * 61, "routing__resolved": None, "routing__attempts": []}, [
            ("/routing/module", f"{'X' * 60!r} is no module, so it cannot have answered"),
        ]),
        ({"routing__module": "X", "status": "ERROR", "result": None, "failure": PROBLEM, "routing__attempts": []}, [
            ("/routing/resolved", NOBODY),
        ]),
    ],
    ids=["no result", "a failure", "nobody answered", "degraded", "nobody was tried", "a stranger answered",
         "a stranger resolved"],
)  # fmt: skip
def test_a_response_that_contradicts_itself_is_told_where(
    changes: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    assert told(Response, valid_responses()["classifier"][1], **changes) == errors


def test_a_degraded_answer_that_skips_its_chain_is_told_the_chain() -> None:
    response = valid_responses()["ocr-degraded"][1]
    chain = ", ".join(chain_of(response["routing"]["module"]))
    expected = [("/routing/attempts", f"not the chain {chain} up to the module that answered")]
    assert told(Response, response, routing__attempts=response["routing"]["attempts"][1:]) == expected


@pytest.mark.parametrize(
    ("of", "changes", "errors"),
    [
        ("classifier", {"payload__encoding": "base64"}, [("/payload/encoding", "text is sent as utf-8")]),
        ("classifier", {"payload__media_type": "image/png"}, [("/payload/media_type", "text has no media type")]),
        ("classifier", {"payload__content": " "}, [("/payload/content", "blank text, NUL or a lone surrogate")]),
        ("classifier", {"payload__sha256": "a" * 64}, [("/payload/sha256", "not the digest of the content")]),
        ("classifier", {"profile": "FULL"}, [("/payload/sha256", "required by profile FULL")]),
        ("hasher-binary", {"profile": "LITE"}, [
            ("/profile", "binary is sent with profile FULL"), ("/payload/sha256", "profile LITE has no sha256"),
        ]),
        ("hasher-binary", {"payload__encoding": "utf-8"}, [("/payload/encoding", "binary is sent as base64")]),
        ("hasher-binary", {"payload__media_type": "image/png"}, [
            ("/payload/media_type", "binary takes one of application/octet-stream"),
        ]),
        ("hasher-binary", {"payload__type": "image"}, [
            ("/payload/media_type", f"image takes one of {IMAGES}"),
        ]),
        ("hasher-binary", {"payload__content": "*"}, [
            ("/payload/content", "not base64 (standard alphabet, padded, no line breaks)"),
        ]),
        ("hasher-binary", {"payload__content": "A"}, [
            ("/payload/content", "not base64 (standard alphabet, padded, no line breaks)"),
        ]),
        ("sentiment", {"payload__params": {"a": 1}}, [("/payload/params", "SENTIMENT takes no parameters")]),
        ("translator", {"payload__params": {"a": 1}}, [
            ("/payload/params/target_lang", "Field required"),
            ("/payload/params/a", "Extra inputs are not permitted"),
        ]),
        ("hasher-binary", {"routing__module": "OCR_LOCAL", "payload__params": {"pages": [1]}}, [
            ("/payload/type", "OCR_LOCAL takes image"),
        ]),
    ],
)  # fmt: skip
def test_a_request_that_contradicts_itself_is_told_where(
    of: str, changes: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    assert told(Request, valid_requests()[of], **changes) == errors


def test_a_translation_without_its_language_is_refused() -> None:
    document = copy.deepcopy(valid_requests()["translator"])
    del document["payload"]["params"]
    assert told(Request, document) == [("/payload/params", "required by TRANSLATOR")]


# The shapes that models are made of


def offence(kind: Any, value: Any) -> tuple[str, str]:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(kind).validate_python(value)
    (error,) = refused.value.errors()
    return error["type"], error["msg"]


def test_one_of_several_texts_is_taken_and_no_other() -> None:
    kind = Annotated[str, OneOf(("a", "b"))]
    assert [TypeAdapter(kind).validate_python(text) for text in ("a", "b")] == ["a", "b"]
    assert offence(kind, "c")[0] == "literal_error"


def test_what_may_be_absent_may_not_be_null() -> None:
    kind = Annotated[int | None, Absent()]
    assert TypeAdapter(kind).validate_python(7) == 7
    assert offence(kind, None)[0] == "int_type"


def test_a_whole_number_is_one_whatever_its_form() -> None:
    count = TypeAdapter(Count).validate_python(3.0)
    assert (count, type(count)) == (3, int)
    assert offence(Count, 3.5)[0] == "int_from_float"


class Moment(Strict):
    at: Timestamp


class Counted(Strict):
    count: Count


def test_a_model_that_converts_nothing_takes_a_whole_number_whatever_its_form() -> None:
    for document in ('{"count": 3}', '{"count": 3.0}', '{"count": 3e0}'):
        count = Counted.model_validate_json(document).count
        assert (count, type(count)) == (3, int)
        assert Counted.model_validate(json.loads(document)) == Counted(count=3)
    for value in (3.5, "3", True):
        with pytest.raises(ValidationError) as refused:
            Counted.model_validate({"count": value})
        assert [error["pointer"] for error in details_of(refused.value)] == ["/count"]


@pytest.mark.parametrize(
    ("location", "told"),
    [((), ""), (("payload", "type"), "/payload/type"), (("a", 0, "b"), "/a/0/b"), (("a/b~c", "~1"), "/a~1b~0c/~01")],
)
def test_a_place_is_told_as_a_json_pointer(location: tuple[str | int, ...], told: str) -> None:
    assert pointer(location) == told


def test_items_that_are_the_same_and_days_that_are_none_are_told() -> None:
    assert offence(Annotated[list[int], Unique], [1, 1]) == ("unique", "the items are not unique")
    with pytest.raises(ValidationError) as refused:
        Moment.model_validate({"at": "2026-02-30T00:00:00.000Z"})
    assert [(error["type"], error["msg"]) for error in refused.value.errors()] == [
        ("timestamp", "not a day of the calendar")
    ]


def test_the_form_of_a_value_depends_on_the_name_in_the_published_schema_too() -> None:
    assert _when(("total", "base"), "^x$") == {
        "if": {"properties": {"name": {"enum": ["total", "base"]}}, "required": ["name"]},
        "then": {"properties": {"value": {"pattern": "^x$"}}},
    }
