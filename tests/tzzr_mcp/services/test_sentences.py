"""What a user reads when something fails: one or two plain sentences, never a code, never an upstream's words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import GOLDEN
from tests.tzzr_mcp.services.worlds import KEY
from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.errors import GRACE_CODES, Code
from tzzr_mcp.services.failures import checked, failure, from_upstream
from tzzr_mcp.services.failures import hop as told_hop
from tzzr_mcp.services.jobs import Cause
from tzzr_mcp.services.module_breakers import LOST
from tzzr_mcp.services.sentences import SUBJECTS, exhausted, hop_reason, sentence
from tzzr_mcp.services.troubles import Trouble, UpstreamError

OWN = {
    Code.ARGUMENT_INVALID,
    Code.FILE_NOT_ALLOWED,
    Code.FILE_NOT_FOUND,
    Code.FILE_TOO_LARGE,
    Code.MEDIA_TYPE_UNKNOWN,
}
"""Whoever refuses an argument or a file says so in a sentence of its own, which names it."""

DETAILS: dict[str, Any] = {
    "confidence": 0.21,
    "threshold": 0.3,
    "limit_bytes": 7 * 2**20,
    "size_bytes": 9 * 2**20,
    "retry_after_s": 30,
    "supported": ["es", "en"],
    "accepted": ["image/png"],
    "cause": "worker_lost",
    "status": 400,
    "ref": "ZZ",
    "near": ["ES"],
}


@pytest.mark.parametrize("code", [code for code in Code if code not in OWN])
@pytest.mark.parametrize("details", [{}, DETAILS], ids=["bare", "detailed"])
def test_every_code_is_told_in_at_most_two_sentences_without_naming_it(code: Code, details: dict[str, Any]) -> None:
    text = sentence(code, "OCR_CORE", details)
    assert text.startswith("No se pudo leer la imagen: ")
    assert text.endswith(".")
    assert 1 <= len(re.findall(r"[.](?= |$)", text)) <= 2
    assert not any(other in text for other in Code)
    assert "None" not in text


def test_every_module_and_service_has_a_subject() -> None:
    heads = [name for name, module in MODULES.items() if not any(name in other.chain for other in MODULES.values())]
    assert set(SUBJECTS) == {*heads, "HST", "HST_TAG", "CONTEXT"}


def test_a_module_of_a_chain_is_told_as_its_head() -> None:
    assert sentence(Code.INTERNAL, "ASR_GROQ", {}).startswith("No se pudo transcribir la grabación: ")


def test_details_make_the_sentence_precise() -> None:
    assert "(0,21; se exige 0,30)" in sentence(Code.LOW_CONFIDENCE, "CLASSIFIER", DETAILS)
    assert "(ocupa 9,0 MiB; el máximo es 7,0 MiB)" in sentence(Code.PAYLOAD_TOO_LARGE, "OCR_CORE", DETAILS)
    assert "en 30 segundos" in sentence(Code.RATE_LIMITED, "CLASSIFIER", DETAILS)
    assert "es o en" in sentence(Code.LANG_UNSUPPORTED, "TRANSLATOR", DETAILS)
    assert "image/png" in sentence(Code.PAYLOAD_UNSUPPORTED, "OCR_CORE", DETAILS)
    assert 'la referencia "ZZ"' in sentence(Code.HST_NOT_FOUND, "HST", DETAILS)
    assert "Se parece ES" in sentence(Code.HST_NOT_FOUND, "HST", DETAILS)
    assert "está denegado" in sentence(Code.GRACE_AUTH, "CLASSIFIER", {"status": 403})
    assert "estado HTTP 400" in sentence(Code.HST_BAD_RESPONSE, "HST", DETAILS)


def hop(module: str, code: Code, **details: Any) -> dict[str, Any]:
    return {"module": module, "status": "ERROR", "error": {"code": str(code), "details": details}}


def test_an_exhausted_chain_of_one_two_or_no_engines_is_told_in_good_spanish() -> None:
    one = [hop("ASR_GROQ", Code.MODULE_TIMEOUT)]
    assert exhausted("ASR_ENGINE", one)[0] == "el motor de transcripción falló (Groq: tiempo agotado)"
    two = [*one, hop("ASR_FASTER_WHISPER", Code.RATE_LIMITED, retry_after_s=90)]
    reason, act = exhausted("ASR_ENGINE", two)
    assert reason.startswith("los dos motores de transcripción fallaron (Groq: tiempo agotado; Faster Whisper: ")
    assert act == "Vuelva a intentarlo en 90 segundos"
    assert exhausted("OCR_CORE", [])[0] == "todos los motores de OCR fallaron"


def test_what_nobody_has_a_name_for_keeps_its_own_or_the_service_s() -> None:
    """A chain that the catalogue of this server does not know yet."""
    assert exhausted("VISION", [hop("VISION_NEW", Code.GRACE_AUTH)])[0] == "el motor de GRACE falló (VISION_NEW: falló)"
    told = sentence(Code.INTERNAL, "VISION", {})
    assert told.startswith("No se pudo completar la petición: GRACE tuvo un error interno.")


TOLD: dict[Code, tuple[dict[str, Any], ...]] = {
    Code.PAYLOAD_UNSUPPORTED: ({"accepted": ["image/png", "image/jpeg"]},),
    Code.PAYLOAD_TOO_LARGE: ({"size_bytes": 9 * 2**20, "limit_bytes": 7 * 2**20}, {"limit_bytes": 7 * 2**20}),
    Code.PARAMS_INVALID: ({"arguments": ["formato"]}, {"arguments": ["max_palabras", "formato"]}),
    Code.LANG_UNSUPPORTED: ({"supported": ["es", "en", "fr"]},),
    Code.LOW_CONFIDENCE: ({"confidence": 0.2, "threshold": 0.3}, {"confidence": 0.2}, {"threshold": 0.3}),
    Code.RATE_LIMITED: ({"retry_after_s": 30},),
    Code.BUSY: ({"service": "grace"}, {"service": "grace", "retry_after_s": 1}),
    Code.GRACE_AUTH: ({"status": 401}, {"status": 403}),
    Code.GRACE_RATE_LIMITED: ({"retry_after_s": 120},),
    Code.GRACE_JOB_FAILED: tuple({"cause": str(cause)} for cause in Cause),
    Code.GRACE_DEADLINE: ({"state": "IN_QUEUE"}, {"state": "IN_PROGRESS"}),
    Code.GRACE_BAD_RESPONSE: ({"status": 200}, {"status": 400}),
    Code.CIRCUIT_OPEN: (
        *({"service": service, "retry_after_s": 15} for service in ("grace", "hst", "context")),
        {"module": "HASHER", "retry_after_s": 15},
    ),
    Code.HST_NOT_FOUND: ({"ref": "ZZ"}, {"ref": "ZZ", "near": ["ES"]}, {"ref": "ZZ", "near": ["ES", "FR"]}),
    Code.HST_RATE_LIMITED: ({"retry_after_s": 30},),
    Code.HST_BAD_RESPONSE: ({"status": 400},),
    Code.CONTEXT_RATE_LIMITED: ({"retry_after_s": 30},),
    Code.CONTEXT_BAD_RESPONSE: ({"status": 400},),
}
"""The details that make a code's sentence another one."""


def every_sentence() -> Iterator[str]:
    """Each code bare and with its details, after the subject that it is about, and each reason of an engine."""
    for subject in SUBJECTS:
        yield f"{subject}: {sentence(Code.BUSY, subject, {})}"
    for code in (code for code in Code if code not in OWN):
        subject = {"HST": "HST", "CONTEXT": "CONTEXT"}.get(code.partition("_")[0], "CLASSIFIER")
        for details in ({}, *TOLD.get(code, ())):
            about = "HST_TAG" if "ref" in details else subject
            yield f"{code} {json.dumps(details)}: {sentence(code, about, details)}"
    for code in (*GRACE_CODES, *sorted(LOST), Code.CIRCUIT_OPEN):
        yield f"motor, {code}: {hop_reason({'code': str(code)})}"


def test_every_sentence_that_a_user_reads_is_as_it_was_read_in_review(
    golden_difference: Callable[[Path, str], str],
) -> None:
    assert golden_difference(GOLDEN / "sentences.txt", "".join(f"{line}\n" for line in every_sentence())) == ""


@pytest.mark.parametrize("code", GRACE_CODES)
def test_every_hop_has_a_few_words(code: Code) -> None:
    assert 0 < len(hop_reason({"code": str(code)})) < 40


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20) | st.just(KEY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(
    [
        "confidence",
        "threshold",
        "limit_bytes",
        "size_bytes",
        "retry_after_s",
        "timeout_ms",
        "supported",
        "accepted",
        "module",
        "errors",
        "x",
    ]
)


@given(code=st.sampled_from(GRACE_CODES), details=st.dictionaries(names, json_values, max_size=6))
def test_whatever_details_grace_sends_the_sentence_stands_and_no_secret_passes(
    code: Code, details: dict[str, Any]
) -> None:
    told = failure(code, "OCR_CORE", retryable=True, **checked(details))
    assert told.message.startswith("No se pudo leer la imagen: ")
    assert KEY not in json.dumps(told.as_json(), ensure_ascii=False)


@pytest.mark.parametrize(
    ("details", "who"),
    [
        ({"service": "grace"}, "GRACE"),
        ({"service": "hst"}, "HST (Directus)"),
        ({"service": "context"}, "el gestor de contexto"),
        ({"module": "OCR_LOCAL"}, "el módulo OCR_LOCAL de GRACE"),
        ({}, "el servicio"),
    ],
)
def test_who_is_left_alone_for_a_moment_is_named(details: dict[str, Any], who: str) -> None:
    assert f": {who} falló varias veces seguidas" in sentence(Code.CIRCUIT_OPEN, "HST", details)


def test_an_option_that_grace_refused_is_named_as_the_tool_calls_it() -> None:
    refused = failure(Code.PARAMS_INVALID, "SUMMARIZER", arguments=["max_palabras", "formato"])
    assert refused.message == (
        "No se pudo resumir el texto: GRACE rechazó el valor de «max_palabras» y «formato». Cámbielo y repita la llamada."
    )


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (None, "HST devolvió una respuesta que no se entiende. Vuelva a intentarlo dentro de un minuto."),
        (299, "HST devolvió una respuesta que no se entiende. Vuelva a intentarlo dentro de un minuto."),
        (300, "HST no aceptó la petición (estado HTTP 300). Repetir la llamada no sirve: avise a quien"),
        (499, "HST no aceptó la petición (estado HTTP 499). Repetir la llamada no sirve: avise a quien"),
        (500, "HST devolvió una respuesta que no se entiende. Vuelva a intentarlo dentro de un minuto."),
    ],
)
def test_a_refusal_is_told_apart_from_an_answer_that_nobody_understands(status: int | None, told: str) -> None:
    details = {} if status is None else {"status": status}
    assert sentence(Code.HST_BAD_RESPONSE, "HST", details).startswith(f"No se pudieron consultar los tags: {told}")


def test_who_is_busy_is_named_where_it_is_known() -> None:
    busy = "No se pudo clasificar el texto: el servidor está ocupado con otras peticiones{}. Vuelva a intentarlo en 2 segundos."
    for details, who in (({"service": "grace"}, " a GRACE"), ({}, ""), ({"service": "nobody"}, "")):
        assert sentence(Code.BUSY, "CLASSIFIER", {**details, "retry_after_s": 2}) == busy.format(who)


def test_choices_end_in_or() -> None:
    accepted = {"accepted": ["image/png", "image/jpeg", "image/webp"]}
    told = sentence(Code.PAYLOAD_UNSUPPORTED, "OCR_CORE", accepted)
    assert told.endswith(" Envíe uno de estos tipos: image/png, image/jpeg o image/webp.")


@pytest.mark.parametrize("name", ["supported", "accepted"])
def test_a_list_of_up_to_a_hundred_known_words_passes_and_anything_else_does_not(name: str) -> None:
    word = {"supported": "es", "accepted": "image/png"}[name]
    for good in ([], [word], [word] * 100):
        assert checked({name: good}) == {name: good}
    for bad in ([word] * 101, word, None, {word: 1}, [word, KEY], [KEY, word], [word, 3], [f"{word} {KEY}"], [[word]]):
        assert checked({name: bad}) == {}


@pytest.mark.parametrize("value", [0, 0.5, 999_999_999_999])
def test_a_number_of_a_sensible_size_passes(value: float) -> None:
    assert checked({"threshold": value, "x": value}) == {"threshold": value}


@pytest.mark.parametrize("value", [-1, -0.001, 1e12, float("nan"), float("inf"), True, "3", None])
def test_what_is_no_such_number_does_not(value: Any) -> None:
    assert checked({"threshold": value}) == {}


def test_what_is_known_of_an_upstream_s_trouble_goes_into_the_details() -> None:
    error = UpstreamError("grace", Trouble.RATE_LIMITED, status=429, retry_after_s=7)
    told = from_upstream(error, {Trouble.RATE_LIMITED: Code.GRACE_RATE_LIMITED}, "CLASSIFIER").failure
    assert (told.code, told.retryable, told.details) == (
        Code.GRACE_RATE_LIMITED,
        True,
        {"status": 429, "retry_after_s": 7},
    )
    busy = from_upstream(UpstreamError("hst", Trouble.BUSY), {Trouble.BUSY: Code.BUSY}, "HST").failure
    assert busy.details == {"service": "hst"}
    refused = UpstreamError("grace", Trouble.REFUSED, status=400)
    assert not from_upstream(refused, {Trouble.REFUSED: Code.GRACE_BAD_RESPONSE}, "CLASSIFIER").failure.retryable


def test_a_failed_engine_is_told_in_the_form_of_the_contract_s_attempts() -> None:
    assert told_hop("OCR_LOCAL", failure(Code.RATE_LIMITED, "OCR_CORE", retry_after_s=30), 12) == {
        "module": "OCR_LOCAL",
        "status": "ERROR",
        "duration_ms": 12,
        "error": {
            "code": "RATE_LIMITED",
            "retryable": True,
            "details": {"retry_after_s": 30},
            "message": "límite de uso, reintentar en 30 segundos",
        },
    }
