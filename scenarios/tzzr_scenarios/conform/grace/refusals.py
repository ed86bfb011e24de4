"""What is refused, and with which code (contract §1 and §2): each request is a good one with one thing wrong."""

from __future__ import annotations

import base64
import copy
from collections.abc import Mapping
from typing import Any, Final

from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

LIMIT_BYTES: Final = 7 * 1024 * 1024
_OTHER_DIGEST: Final = "0" * 64
Json = samples.Json


def _text(**payload: Any) -> Json:
    asked = samples.text("CLASSIFIER")
    return {**asked, "payload": {**asked["payload"], **payload}}


def _image(**payload: Any) -> Json:
    asked = samples.good("OCR_CORE")
    return {**asked, "payload": {**asked["payload"], **payload}}


async def _fails(probe: Probe, asked: Mapping[str, Any], code: str, **envelope: Any) -> Answer:
    answer = await probe.ask(asked, **envelope)
    if isinstance(answer.delivery.output, dict):
        came = answer.at("failure", "code")
        told = came if came != NOTHING else f"status {answer.at('status')}, no failure"
    else:
        came, told = NOTHING, answer.delivery.trouble or answer.delivery.output
    hold(answer, came == code, "failure.code", code, told)
    return answer


async def _failed(probe: Probe, asked: Mapping[str, Any], code: str) -> Answer:
    """The answer, for rules about its details. Raises `NotJudged`: it is not that failure, which another rule tells."""
    answer = await probe.ask(asked)
    if answer.at("failure", "code") != code:
        raise NotJudged(f"the answer is not {code}")
    return answer


@BOOK.rule("refuses.version", "§1: contract_version")
async def refuses_another_version(probe: Probe) -> None:
    """A ``contract_version`` other than 2.1 is CONTRACT_VERSION_UNSUPPORTED."""
    await _fails(probe, {**samples.text("CLASSIFIER"), "contract_version": "3.0"}, "CONTRACT_VERSION_UNSUPPORTED")


@BOOK.rule("refuses.version-details", "§2: details.supported")
async def tells_the_versions_it_speaks(probe: Probe) -> None:
    """CONTRACT_VERSION_UNSUPPORTED lists the versions that are spoken in ``details.supported``."""
    asked = {**samples.text("CLASSIFIER"), "contract_version": "3.0"}
    answer = await _failed(probe, asked, "CONTRACT_VERSION_UNSUPPORTED")
    came = answer.at("failure", "details", "supported")
    hold(answer, isinstance(came, list) and "2.1" in came, "failure.details.supported", ["2.1"], came)


@BOOK.rule("refuses.module", "§2: MODULE_UNKNOWN")
async def refuses_an_unknown_module(probe: Probe) -> None:
    """A module that there is not is MODULE_UNKNOWN."""
    await _fails(probe, samples.text("NO_SUCH_MODULE"), "MODULE_UNKNOWN")


@BOOK.rule("refuses.module-details", "§2: details.module")
async def names_the_module_it_does_not_know(probe: Probe) -> None:
    """MODULE_UNKNOWN names the module in ``details.module``."""
    answer = await _failed(probe, samples.text("NO_SUCH_MODULE"), "MODULE_UNKNOWN")
    came = answer.at("failure", "details", "module")
    hold(answer, came == "NO_SUCH_MODULE", "failure.details.module", "NO_SUCH_MODULE", came)


@BOOK.rule("refuses.unknown-field", "§1: unknown fields are refused")
async def refuses_an_unknown_field(probe: Probe) -> None:
    """A field that the contract does not know is CONTRACT_INVALID, at the top and deep down."""
    await _fails(probe, {**samples.text("CLASSIFIER"), "priority": 1}, "CONTRACT_INVALID")
    await _fails(probe, _text(lang="es"), "CONTRACT_INVALID")


@BOOK.rule("refuses.pointer", "§2: details.errors")
async def points_at_the_offence(probe: Probe) -> None:
    """CONTRACT_INVALID points at each offence in ``details.errors[].pointer``, a JSON Pointer."""
    asked = {**samples.text("CLASSIFIER"), "context": {"lang": "es", "mode": "loose"}}
    answer = await _failed(probe, asked, "CONTRACT_INVALID")
    errors = answer.at("failure", "details", "errors")
    kept = isinstance(errors, list) and any(isinstance(each, dict) and each.get("pointer") == "/context/mode"
                                            and isinstance(each.get("message"), str) for each in errors)  # fmt: skip
    hold(answer, kept, "failure.details.errors", [{"pointer": "/context/mode", "message": "…"}], errors)


@BOOK.rule("refuses.mode", "§1: context.mode")
async def refuses_an_unknown_mode(probe: Probe) -> None:
    """A ``context.mode`` other than strict and lenient is CONTRACT_INVALID."""
    await _fails(probe, {**samples.text("CLASSIFIER"), "context": {"lang": "es", "mode": "loose"}}, "CONTRACT_INVALID")


@BOOK.rule("refuses.lang", "§1: context.lang")
async def refuses_a_language_with_a_region(probe: Probe) -> None:
    """A ``context.lang`` with a region is CONTRACT_INVALID: a primary subtag or auto is taken."""
    await _fails(probe, samples.text("CLASSIFIER", lang="es-ES"), "CONTRACT_INVALID")


@BOOK.rule("refuses.module-version", "§1: routing.version")
async def refuses_another_module_version(probe: Probe) -> None:
    """A ``routing.version`` other than 1.0 is CONTRACT_INVALID."""
    asked = {**samples.text("CLASSIFIER"), "routing": {"module": "CLASSIFIER", "version": "1.1"}}
    await _fails(probe, asked, "CONTRACT_INVALID")


@BOOK.rule("refuses.trace", "§1: envelope.trace_id")
async def refuses_what_is_no_uuid4(probe: Probe) -> None:
    """A ``trace_id`` that is no UUID of version 4 is CONTRACT_INVALID."""
    asked = samples.text("CLASSIFIER")
    await _fails(probe, asked, "CONTRACT_INVALID", trace_id="0f8fad5b-d9cb-169f-a165-70867728950e")


@BOOK.rule("refuses.key", "§1: envelope.idempotency_key")
async def refuses_what_is_no_key(probe: Probe) -> None:
    """An ``idempotency_key`` that is not 64 lower-case hexadecimal digits is CONTRACT_INVALID."""
    for wrong in ("A" * 64, "a" * 63):
        await _fails(probe, samples.text("CLASSIFIER"), "CONTRACT_INVALID", idempotency_key=wrong)


@BOOK.rule("refuses.timestamp", "§1: envelope.timestamp")
async def refuses_another_form_of_time(probe: Probe) -> None:
    """A ``timestamp`` without milliseconds, or in another zone than UTC, is CONTRACT_INVALID."""
    for wrong in ("2026-01-04T10:15:30Z", "2026-01-04T11:15:30.123+01:00"):
        await _fails(probe, samples.text("CLASSIFIER"), "CONTRACT_INVALID", timestamp=wrong)


@BOOK.rule("refuses.missing", "§1: request")
async def refuses_a_request_that_lacks_a_part(probe: Probe) -> None:
    """A request without its context, or without its content, is CONTRACT_INVALID."""
    whole = samples.text("CLASSIFIER")
    await _fails(probe, {name: part for name, part in whole.items() if name != "context"}, "CONTRACT_INVALID")
    hollow = copy.deepcopy(whole)
    del hollow["payload"]["content"]
    await _fails(probe, hollow, "CONTRACT_INVALID")


@BOOK.rule("refuses.blank", "§1: payload.content")
async def refuses_blank_text(probe: Probe) -> None:
    """A text of white space alone is CONTRACT_INVALID."""
    await _fails(probe, samples.text("CLASSIFIER", " \t\n"), "CONTRACT_INVALID")


@BOOK.rule("refuses.nul", "§1: NUL in text")
async def refuses_nul(probe: Probe) -> None:
    """A text with NUL is CONTRACT_INVALID."""
    await _fails(probe, samples.text("CLASSIFIER", "a\0b"), "CONTRACT_INVALID")


@BOOK.rule("refuses.text-media-type", "§1: payload.media_type")
async def refuses_a_media_type_of_text(probe: Probe) -> None:
    """A text with a ``media_type`` is CONTRACT_INVALID."""
    await _fails(probe, _text(media_type="image/png"), "CONTRACT_INVALID")


@BOOK.rule("refuses.no-media-type", "§1: payload.media_type")
async def refuses_a_picture_without_a_media_type(probe: Probe) -> None:
    """A picture without its ``media_type`` is CONTRACT_INVALID."""
    asked = _image()
    del asked["payload"]["media_type"]
    await _fails(probe, asked, "CONTRACT_INVALID")


@BOOK.rule("refuses.lite-picture", "§1: profile")
async def refuses_a_picture_in_profile_lite(probe: Probe) -> None:
    """A binary payload in profile LITE is CONTRACT_INVALID."""
    await _fails(probe, {**_image(), "profile": "LITE"}, "CONTRACT_INVALID")


@BOOK.rule("refuses.no-digest", "§1: payload.sha256")
async def refuses_profile_full_without_a_digest(probe: Probe) -> None:
    """Profile FULL without ``sha256`` is CONTRACT_INVALID."""
    asked = _image()
    del asked["payload"]["sha256"]
    await _fails(probe, asked, "CONTRACT_INVALID")


@BOOK.rule("refuses.digest", "§1: payload.sha256")
async def refuses_another_digest(probe: Probe) -> None:
    """A ``sha256`` that is not the digest of the decoded bytes is PAYLOAD_CORRUPT."""
    await _fails(probe, _image(sha256=_OTHER_DIGEST), "PAYLOAD_CORRUPT")


@BOOK.rule("refuses.base64", "§2: PAYLOAD_CORRUPT")
async def refuses_what_is_no_base64(probe: Probe) -> None:
    """Content that is not base64 is PAYLOAD_CORRUPT: a stray letter, or padding cut off."""
    content = _image()["payload"]["content"].rstrip("=")
    for wrong in (f"{content[:40]}*{content[41:]}", content[: len(content) // 4 * 4 - 1]):
        await _fails(probe, _image(content=wrong), "PAYLOAD_CORRUPT")


@BOOK.rule("refuses.not-a-picture", "§2: PAYLOAD_CORRUPT")
async def refuses_bytes_of_another_kind(probe: Probe) -> None:
    """Bytes that are not of the declared media type are PAYLOAD_CORRUPT."""
    await _fails(probe, samples.binary("OCR_CORE", "image", "image/png", b"this is no picture"), "PAYLOAD_CORRUPT")


@BOOK.rule("refuses.type", "§2: PAYLOAD_UNSUPPORTED")
async def refuses_text_for_a_reader_of_pictures(probe: Probe) -> None:
    """A type that the module does not take is PAYLOAD_UNSUPPORTED: text for OCR_CORE, a picture for CLASSIFIER."""
    await _fails(probe, samples.text("OCR_CORE"), "PAYLOAD_UNSUPPORTED")
    await _fails(probe, samples.binary("CLASSIFIER", "image", "image/png", samples.picture()), "PAYLOAD_UNSUPPORTED")


@BOOK.rule("refuses.accepted", "§2: details.accepted")
async def tells_what_it_takes(probe: Probe) -> None:
    """PAYLOAD_UNSUPPORTED lists what the module takes in ``details.accepted``."""
    answer = await _failed(probe, samples.text("OCR_CORE"), "PAYLOAD_UNSUPPORTED")
    came = answer.at("failure", "details", "accepted")
    hold(answer, isinstance(came, list) and bool(came), "failure.details.accepted", "a list", came)


@BOOK.rule("refuses.binary", "§1: payload.type")
async def refuses_binary_for_all_but_hasher(probe: Probe) -> None:
    """Type ``binary`` is for HASHER alone, and PAYLOAD_UNSUPPORTED elsewhere."""
    asked = samples.binary("ASR_ENGINE", "binary", "application/octet-stream", samples.OCTETS)
    await _fails(probe, asked, "PAYLOAD_UNSUPPORTED")


@BOOK.rule("refuses.media-type", "§2: PAYLOAD_UNSUPPORTED")
async def refuses_an_unknown_media_type(probe: Probe) -> None:
    """A media type that the module does not take is PAYLOAD_UNSUPPORTED."""
    await _fails(probe, _image(media_type="image/bmp"), "PAYLOAD_UNSUPPORTED")


@BOOK.rule("refuses.large", "§1: payload.content; §2: PAYLOAD_TOO_LARGE")
async def refuses_more_than_seven_mebibytes(probe: Probe) -> None:
    """Content of more than 7 MiB is PAYLOAD_TOO_LARGE, with ``details.limit_bytes`` and ``size_bytes``."""
    answer = await _fails(probe, samples.text("HASHER", "a" * (LIMIT_BYTES + 1)), "PAYLOAD_TOO_LARGE")
    came = [answer.at("failure", "details", name) for name in ("limit_bytes", "size_bytes")]
    hold(answer, came == [LIMIT_BYTES, LIMIT_BYTES + 1], "failure.details", [LIMIT_BYTES, LIMIT_BYTES + 1], came)


@BOOK.rule("refuses.params", "§2: PARAMS_INVALID")
async def refuses_a_parameter_out_of_its_range(probe: Probe) -> None:
    """A parameter out of its range, or of another kind, is PARAMS_INVALID."""
    for wrong in (9, 1001, "50"):
        await _fails(probe, samples.text("SUMMARIZER", max_words=wrong), "PARAMS_INVALID")
    await _fails(probe, samples.text("EMBEDDINGS", dimensions=63), "PARAMS_INVALID")
    await _fails(probe, samples.text("HASHER", algorithm="md5"), "PARAMS_INVALID")


@BOOK.rule("refuses.unknown-param", "§4: params")
async def refuses_an_unknown_parameter(probe: Probe) -> None:
    """A parameter that the module does not have is PARAMS_INVALID."""
    await _fails(probe, samples.text("CLASSIFIER", max_words=50), "PARAMS_INVALID")


@BOOK.rule("refuses.categories", "§4: CLASSIFIER, categories")
async def refuses_one_category_and_the_same_one_twice(probe: Probe) -> None:
    """``categories`` are 2 to 50, each once; others are PARAMS_INVALID."""
    for wrong in (["factura"], ["factura", "factura"], [str(number) for number in range(51)]):
        await _fails(probe, samples.text("CLASSIFIER", categories=wrong), "PARAMS_INVALID")


@BOOK.rule("refuses.no-target", "§4: TRANSLATOR, target_lang")
async def refuses_a_translation_to_nowhere(probe: Probe) -> None:
    """TRANSLATOR without ``target_lang`` is refused, with PARAMS_INVALID or CONTRACT_INVALID."""
    answer = await probe.ask(samples.text("TRANSLATOR"))
    came = answer.at("failure", "code")
    hold(answer, came in ("PARAMS_INVALID", "CONTRACT_INVALID"), "failure.code", "PARAMS_INVALID", came)


@BOOK.rule("refuses.params-pointer", "§2: details.errors")
async def points_at_the_parameter(probe: Probe) -> None:
    """PARAMS_INVALID points at the parameter in ``details.errors[].pointer``."""
    answer = await _failed(probe, samples.text("SUMMARIZER", max_words=9), "PARAMS_INVALID")
    errors = answer.at("failure", "details", "errors")
    pointers = (
        [each.get("pointer") for each in errors if isinstance(each, dict)] if isinstance(errors, list) else errors
    )
    kept = isinstance(pointers, list) and any("max_words" in str(pointer) for pointer in pointers)
    hold(answer, kept, "failure.details.errors[].pointer", "/payload/params/max_words", pointers)


@BOOK.rule("refuses.chain-ends", "§3: who falls back")
async def ends_a_chain_at_what_no_other_can_mend(probe: Probe) -> None:
    """A chain goes on after a retryable error or LOW_CONFIDENCE alone: a corrupt picture is not tried again."""
    broken = base64.b64decode(_image()["payload"]["content"])[:60]
    answer = await probe.ask(samples.binary("OCR_CORE", "image", "image/png", broken))
    attempts = answer.at("routing", "attempts")
    for attempt in attempts[:-1] if isinstance(attempts, list) else ():
        error = attempt.get("error") if isinstance(attempt, dict) else None
        kept = not isinstance(error, dict) or error.get("retryable") or error.get("code") == "LOW_CONFIDENCE"
        hold(answer, bool(kept), "routing.attempts", "no attempt after an error that is not retryable", attempts)
