"""Reading a request's JSON: each look says which field is wrong, as the APIs' validators do."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from tzzr_mocks.llm.errors import ModelError


def read_object(body: bytes) -> dict[str, Any]:
    """The body as a JSON object.

    Raises:
        ModelError: 400, it is none.
    """
    try:
        given = json.loads(body)
    except ValueError as error:
        raise ModelError(400, f"The body is not JSON: {error}.") from error
    if not isinstance(given, dict):
        raise ModelError(400, "The body is not a JSON object.")
    return given


def refuse_unknown(given: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse a field that the API does not have.

    Raises:
        ModelError: 400, there is one.
    """
    for name in given:
        if name not in known:
            raise ModelError(400, f"Unknown field {name!r}.", "unknown_parameter", name)


def need(given: Any, kind: type | tuple[type, ...], where: str) -> Any:
    """``given``, when it is of that kind.

    Raises:
        ModelError: 400, it is missing or of another kind.
    """
    if given is None:
        raise ModelError(400, f"{where} is required.", "missing_required_parameter", where)
    if not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
        names = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
        raise ModelError(400, f"{where} is {type(given).__name__}; {names} is expected.", "invalid_type", where)
    return given


def one_of(given: Any, allowed: Collection[str], where: str) -> str:
    """``given``, when it is one of the allowed words.

    Raises:
        ModelError: 400, it is none of them.
    """
    word: str = need(given, str, where)
    if word not in allowed:
        raise ModelError(400, f"{where} is {word!r}; one of {', '.join(allowed)} is expected.", "invalid_value", where)
    return word


def texts(given: Any, where: str) -> tuple[str, ...]:
    """A list of texts.

    Raises:
        ModelError: 400, it is none.
    """
    return tuple(need(one, str, f"{where}[{place}]") for place, one in enumerate(need(given, list, where)))


def schema_of(given: Any, where: str) -> dict[str, Any]:
    """The schema of a tool's arguments: an object whose ``properties`` are schemas.

    Raises:
        ModelError: 400, it is none.
    """
    schema: dict[str, Any] = need(given, dict, where)
    for name, one in need(schema.get("properties", {}), dict, f"{where}.properties").items():
        need(one, dict, f"{where}.properties.{name}")
    texts(schema.get("required", []), f"{where}.required")
    return schema


def words(given: Any, where: str) -> str:
    """A text that may be left out.

    Raises:
        ModelError: 400, it is something else.
    """
    return "" if given is None else str(need(given, str, where))


def text_of(content: Any, where: str) -> str:
    """The text of a message's content: a string, or parts of which the text parts count.

    Raises:
        ModelError: 400, it is neither.
    """
    if content is None or isinstance(content, str):
        return content or ""
    parts = need(content, list, where)
    texts = [part.get("text", "") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))
