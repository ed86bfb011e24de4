"""Arguments of a tool as they are typed in a shell: ``key=value``, files by ``@path``."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tzzr_mcp.seams.spelling import nearest

_INLINE = {"ocr": "imagen_base64", "transcribir": "audio_base64"}
"""Where ``archivo=@path`` puts the bytes, so that no folder of the server need be opened."""

_MOST_BYTES = 32 << 20
"""What is read of a file; more than any call may carry, so that the server's own refusal can be seen."""


class WordError(ValueError):
    """A word of the command line that cannot be an argument; the message tells the mend."""


def arguments(tool: str, schema: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """The tool's arguments that the words say.

    Raises:
        WordError: a word has no ``=``, names no argument, or its file cannot be read.
    """
    return dict(_argument(tool, schema, word) for word in words)


def _argument(tool: str, schema: Mapping[str, Any], word: str) -> tuple[str, Any]:
    name, equals, value = word.partition("=")
    properties: Mapping[str, Any] = schema.get("properties", {})
    if not equals:
        raise WordError(f"{word!r} is not key=value; {tool} takes {', '.join(properties)}")
    if name not in properties:
        close = nearest(name, properties)
        mend = f"; did you mean {close}?" if close else ""
        raise WordError(f"{tool} has no argument {name!r}{mend}  It takes {', '.join(properties)}")
    if value.startswith("@"):
        return _from_file(tool, name, Path(value[1:]))
    return name, _typed(properties[name], value)


def _from_file(tool: str, name: str, path: Path) -> tuple[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WordError(f"{path}: {reason}; @ reads a file from this machine") from error
    if len(content) > _MOST_BYTES:
        raise WordError(f"{path} is larger than {_MOST_BYTES >> 20} MiB; a call carries 7 MiB at most")
    if name == "archivo" and tool in _INLINE:
        return _INLINE[tool], base64.b64encode(content).decode("ascii")
    if name.endswith("_base64"):
        return name, base64.b64encode(content).decode("ascii")
    try:
        return name, content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WordError(f"{path} is not UTF-8 text (byte {error.start}); {name} takes text") from error


def _typed(schema: Mapping[str, Any], value: str) -> Any:
    """The value as the argument's type: text stays as it is, a list may be given with commas."""
    kind = schema.get("type")
    if kind == "string":
        return value
    try:
        return json.loads(value)
    except ValueError:
        return [item.strip() for item in value.split(",")] if kind == "array" else value
