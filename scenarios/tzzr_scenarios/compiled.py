"""Output schemas that the SDK's client compiles, kept for the process.

The client checks every result against the tool's output schema, and compiles each schema once per session. A scenario
is a session of its own, so that a third of a run went into compiling the same twelve schemas again and again. A result
that fits is told so by the schema's compiled form; of one that does not, the client's own validator tells what is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from mcp import ClientSession

from tzzr_mocks.fitting import Fits, fitting, is_fit

Schema = Mapping[str, Any]
Compile = Callable[[str, Schema], Any]

KEPT: Final = 256
"""Most schemas that are kept."""
WORTH_IT: Final = 20
"""Results of one schema after which to compile it takes less than to walk it further."""
_kept: dict[str, Any] = {}


def share_compiled_schemas(session: ClientSession) -> None:
    """Let ``session`` take the validators of schemas that another session has compiled.

    The method is private to the SDK: where there is none, every session compiles its own.
    """
    compile_one: Compile | None = getattr(session, "_output_schema_validator", None)
    if compile_one is not None:
        setattr(session, "_output_schema_validator", _shared(compile_one))  # noqa: B010 - an instance's, not the class's


class _Validator:
    """What the client asks for the errors of a result."""

    def __init__(self, walking: Any, schema: Schema) -> None:
        self._walking, self._schema = walking, schema
        self._asked = 0
        self._fits: Fits | None = None

    def iter_errors(self, result: Any) -> Iterator[Any]:
        """The errors that the client's own validator finds."""
        self._asked += 1
        if self._asked == WORTH_IT and is_fit(self._schema):
            self._fits = fitting(self._schema)
        fits = self._fits is not None and self._fits(result)
        return iter(()) if fits else self._walking.iter_errors(result)


def _shared(compile_one: Compile) -> Compile:
    seen: dict[str, tuple[Schema, Any]] = {}

    def validator(name: str, schema: Schema) -> Any:
        if name not in seen or seen[name][0] is not schema:
            text = json.dumps(schema, sort_keys=True)
            if text not in _kept:
                _kept[text] = _Validator(compile_one(name, schema), schema)
                while len(_kept) > KEPT:
                    _kept.pop(next(iter(_kept)))
            seen[name] = schema, _kept[text]
        return seen[name][1]

    return validator
