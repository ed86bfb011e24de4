"""Parameters that steer nothing here, and are looked at all the same: a value that the API refuses is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

import fastjsonschema

from tzzr_mocks.llm.errors import ModelError

Json = dict[str, Any]

FLAG: Final[Json] = {"type": ["boolean", "null"]}
TEXT: Final[Json] = {"type": ["string", "null"]}
OBJECT: Final[Json] = {"type": ["object", "null"]}
LIST: Final[Json] = {"type": ["array", "null"]}


def within(low: float, high: float) -> Json:
    """The schema of a number within bounds, or null."""
    return {"type": ["number", "null"], "minimum": low, "maximum": high}


def whole(low: int, high: int) -> Json:
    """The schema of a whole number within bounds, or null."""
    return {**within(low, high), "type": ["integer", "null"]}


class Parameters:
    """What the values of some parameters must be: a JSON Schema for each, by name."""

    def __init__(self, schemas: Mapping[str, Json]) -> None:
        self._schemas = dict(schemas)

    @cached_property
    def _validate(self) -> Callable[[Any], Any]:
        compiled: Callable[[Any], Any] = fastjsonschema.compile({"properties": self._schemas}, use_default=False)
        return compiled

    def check(self, given: Mapping[str, Any]) -> None:
        """Look at those that are given.

        Raises:
            ModelError: 400, one of them has a value that it cannot have.
        """
        try:
            self._validate(given)
        except fastjsonschema.JsonSchemaValueException as error:
            told = str(error.message).removeprefix("data.")
            raise ModelError(400, f"{told}.", "invalid_value", str(error.path[1])) from error
