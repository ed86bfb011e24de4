"""Arguments against a tool's input schema: the most telling offence, for a sentence about it.

Compiling a validator is nothing that a start needs: import this at the first call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from tzzr_mcp.checks.sentences import RANKS, Offence


class Offences:
    """One compiled input schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._validator = Draft202012Validator(schema)

    def telling(self, arguments: Mapping[str, Any]) -> Offence | None:
        """The offence that explains the others; None where the arguments fit."""
        return min((_offence(error) for error in self._validator.iter_errors(arguments)), key=_order, default=None)


def _offence(error: ValidationError) -> Offence:
    schema = error.schema if isinstance(error.schema, Mapping) else {}
    return Offence(tuple(error.absolute_path), str(error.validator), error.validator_value, error.instance, schema)


def _order(offence: Offence) -> tuple[int, str]:
    """A misspelt name explains the missing one. Ties by place."""
    rank = RANKS.index(offence.keyword) if offence.keyword in RANKS else len(RANKS)
    return rank, str(offence.path)
