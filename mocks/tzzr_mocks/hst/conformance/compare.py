"""Where an answer differs from the recorded one.

Recorded bodies are masked (``<volatile>`` where two recordings differed) and long ones trimmed; an answer is brought
to the same form before the two are compared.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from tzzr_mocks.hst.conformance.forms import unlike
from tzzr_mocks.hst.conformance.parts import apart
from tzzr_mocks.hst.conformance.verdict import NOTHING, Difference, Sent
from tzzr_mocks.hst.javascript import whole

VOLATILE = "<volatile>"
HEADERS = (
    "cache-control", "vary", "etag", "content-length", "allow", "location", "retry-after", "www-authenticate",
    "content-disposition", "access-control-allow-origin", "access-control-allow-credentials",
    "access-control-allow-methods", "x-powered-by", "x-cache-status",
)  # fmt: skip
_LONG = 6000
_KEPT = 8
_LONG_TEXT = 1500
_MOST = 8
"""Differences that are told of one body."""


def differences(want: Mapping[str, Any], sent: Sent, *, every_header: bool = True) -> list[Difference]:
    """What differs; nothing when the reply is as recorded."""
    got = _comparable(want, _body(sent.headers, sent.content))
    found = [
        difference
        for part in ("json", "json_trimmed", "text", "text_trimmed")
        if part in got or part in want
        for difference in islice(apart(want.get(part, NOTHING), got.get(part, NOTHING), part), _MOST)
    ]
    return [*_status(want, sent), *found, *_headers(want, sent, every_header=every_header)]


def other_form(want: Mapping[str, Any], sent: Sent) -> list[Difference]:
    """What differs in status, content type and the form of the body: all that a server with other rows can share."""
    body = _body(sent.headers, sent.content).get("json", NOTHING)
    found = islice(unlike(want, _blanked(want.get("json"), body)), _MOST)
    return [*_status(want, sent), *found, *_headers(want, sent, every_header=False)]


def _status(want: Mapping[str, Any], sent: Sent) -> list[Difference]:
    return [] if sent.status == want["status"] else [Difference("status", want["status"], sent.status)]


def _headers(want: Mapping[str, Any], sent: Sent, *, every_header: bool) -> Iterator[Difference]:
    for name in ("content-type", *(HEADERS if every_header else ())):
        recorded, came = (_dated(name, headers.get(name)) for headers in (want.get("headers", {}), sent.headers))
        masked = recorded == VOLATILE or (name in ("etag", "content-length") and "volatile" in want)
        if not masked and came != recorded:
            yield Difference(name, recorded or NOTHING, came or NOTHING)


def _dated(name: str, value: str | None) -> str | None:
    if value is None or name != "content-disposition":
        return value
    value = re.sub(r"\d{8}-\d{3,6}\b", "<YYYYMMDD-HHMMSS>", value)  # the hour, minute and second are not padded
    return re.sub(r"\d{4}-\d\d-\d\d", "<YYYY-MM-DD>", value)


def _body(headers: Mapping[str, str], content: bytes) -> dict[str, Any]:
    if not content:
        return {}
    text = content.decode("utf-8", "replace")
    if "json" in headers.get("content-type", ""):
        try:
            return {"json": json.loads(text, parse_float=lambda digits: whole(float(digits)))}
        except ValueError:
            return {"text": text}
    return {"text": text}


def _comparable(want: Mapping[str, Any], got: dict[str, Any]) -> dict[str, Any]:
    if "json" in want and "json" in got:
        got["json"] = _blanked(want["json"], got["json"])
    _trim(got)
    for part in ("json_trimmed", "text_trimmed"):
        if part in want and part in got and want[part].get("sha256", 1) is None:
            got[part] = want[part]
    if str(want.get("text", "")).startswith(VOLATILE) and "text" in got:
        got["text"] = want["text"]
    return got


def _blanked(want: Any, got: Any) -> Any:
    """The answer with ``<volatile>`` wherever the recording has it."""
    if want == VOLATILE or (isinstance(want, str) and want.startswith(VOLATILE)):
        return want
    if isinstance(want, dict) and isinstance(got, dict):
        return {key: _blanked(want[key], value) if key in want else value for key, value in got.items()}
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [_blanked(one, other) for one, other in zip(want, got, strict=True)]
    return got


def canonical(value: Any) -> str:
    """Sorted keys, no blanks."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _digest(text: str) -> str | None:
    return None if VOLATILE in text else hashlib.sha256(text.encode()).hexdigest()


def _trim(got: dict[str, Any]) -> None:
    """Long bodies as the recordings keep them: first and last items, count, ids, digest."""
    if "json" in got:
        got["json"] = _without_stack(got["json"])
        _trim_json(got)
    elif "<!doctype html>" in got.get("text", "")[:40]:
        got["text"] = f"<an HTML page of {len(got['text'])} characters>"
    elif len(got.get("text", "")) > _LONG_TEXT:
        text = got.pop("text")
        got["text_trimmed"] = {"head": text[:700], "tail": text[-120:], "chars": len(text), "sha256": _digest(text)}


def _without_stack(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "<stack trace>" if key == "stack" else _without_stack(item) for key, item in value.items()}
    return [_without_stack(item) for item in value] if isinstance(value, list) else value


def _trim_json(got: dict[str, Any]) -> None:
    whole_body, text = got["json"], canonical(got["json"])
    key = "data" if isinstance(whole_body, dict) and isinstance(whole_body.get("data"), list) else None
    items = whole_body[key] if key else whole_body if isinstance(whole_body, list) else None
    if items is not None and (len(items) > _KEPT or len(text) > _LONG) and len(items) > 4:
        got["json_trimmed"] = _trimmed_list(whole_body, key, items) | {"sha256": _digest(text)}
        del got["json"]
    elif len(text) > _LONG:
        keys = list(whole_body)[:40] if isinstance(whole_body, dict) else len(whole_body)
        got["json_trimmed"] = {"keys": keys, "head": text[:800], "chars": len(text), "sha256": _digest(text)}
        del got["json"]


def _trimmed_list(whole_body: Any, key: str | None, items: list[Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {"list": key or "$", "count": len(items), "first3": items[:3], "last1": items[-1:]}
    if len(canonical(kept)) > _LONG:
        kept = {"list": key or "$", "count": len(items), "first_head": canonical(items[0])[:800]}
    if len(items) > _KEPT and all(isinstance(item, dict) and isinstance(item.get("id"), int) for item in items):
        kept["ids"] = [item["id"] for item in items]
    if key:
        kept["rest"] = {name: value for name, value in whole_body.items() if name != key}
    return kept
