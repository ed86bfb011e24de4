"""Output schemas that the SDK's client compiles, kept for the process.

The client checks every result against the tool's output schema, and compiles each schema once per session. A scenario
is a session of its own, so that a third of a run went into compiling the same twelve schemas again and again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from mcp import ClientSession

Schema = Mapping[str, Any]
Compile = Callable[[str, Schema], Any]

KEPT: Final = 256
"""Most schemas that are kept."""
_kept: dict[str, Any] = {}


def share_compiled_schemas(session: ClientSession) -> None:
    """Let ``session`` take the validators of schemas that another session has compiled.

    The method is private to the SDK: where there is none, every session compiles its own.
    """
    compile_one: Compile | None = getattr(session, "_output_schema_validator", None)
    if compile_one is not None:
        setattr(session, "_output_schema_validator", _shared(compile_one))  # noqa: B010 - an instance's, not the class's


def _shared(compile_one: Compile) -> Compile:
    seen: dict[str, tuple[Schema, Any]] = {}

    def validator(name: str, schema: Schema) -> Any:
        if name not in seen or seen[name][0] is not schema:
            text = json.dumps(schema, sort_keys=True)
            if text not in _kept:
                _kept[text] = compile_one(name, schema)
                while len(_kept) > KEPT:
                    _kept.pop(next(iter(_kept)))
            seen[name] = schema, _kept[text]
        return seen[name][1]

    return validator
