"""A tool's arguments against its input schema: the first check of every call (CONTRACT §5).

Imported at the first call, because a compiled validator is nothing that the start needs. Defaults of a schema are
not filled in: what a missing argument means is the plugin's to say. A whole number written as ``5.0`` is an integer
in JSON Schema and reaches the tool as ``5``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tzzr_mcp.checks.arguments import Offences
from tzzr_mcp.checks.sentences import offender, sentence
from tzzr_mcp.contract.errors import ArgumentInvalid


class ArgumentCheck:
    """One tool's compiled input schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self._offences = Offences(schema)

    def __call__(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the tool gets them.

        Raises:
            ArgumentInvalid: a Spanish sentence that names the argument, the value given and what is accepted.
        """
        telling = self._offences.telling(arguments)
        if telling is not None:
            raise ArgumentInvalid(offender(telling), sentence(telling))
        whole: dict[str, Any] = _whole(arguments, self._schema)
        return whole


def _whole(value: Any, schema: Any) -> Any:
    """``value`` with every ``5.0`` that its schema calls an integer as ``5``."""
    if not isinstance(schema, Mapping):
        return value
    if isinstance(value, float) and schema.get("type") == "integer":
        return int(value)
    if isinstance(value, Mapping):
        properties = schema.get("properties", {})
        return {name: _whole(item, properties.get(name)) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole(item, schema.get("items")) for item in value]
    return value
