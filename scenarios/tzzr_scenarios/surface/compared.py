"""Two surfaces compared: which part is judged by which facet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tzzr_scenarios.surface.changes import Change
from tzzr_scenarios.surface.facets import FIXED, WORDS, Facet, Names, Promise, Record, Things
from tzzr_scenarios.surface.schemas import Published, SchemaFacet

_MEND = "raise CONTRACT_VERSION in tzzr_mcp/contract/catalogue.py and run: python -m tzzr_mcp.contract.publish"


def _required(thing: Any) -> bool:
    return bool(thing["required"])


_HINTS: Final = Record(
    {
        "readOnlyHint": Promise(True),
        "destructiveHint": Promise(False),
        "idempotentHint": Promise(True),
        "openWorldHint": Promise(False),
    }
)
"""Hosts let a tool run without asking by these (MCP, tool annotations)."""

_TOOL: Final = Record(
    {
        "title": WORDS,
        "description": WORDS,
        "questions": WORDS,
        "annotations": _HINTS,
        "input": SchemaFacet(taken=True),
        "output": SchemaFacet(taken=False),
    }
)
_RESOURCE: Final = Record({"name": FIXED, "title": WORDS, "description": WORDS, "mime_type": FIXED})
_ARGUMENT: Final = Record({"description": WORDS, "required": Promise(False)})
_PROMPT: Final = Record(
    {"title": WORDS, "description": WORDS, "text": WORDS, "arguments": Things(_ARGUMENT, demanded=_required)}
)
_SETTING: Final = Record(
    {
        "description": WORDS,
        "required": Promise(False),
        "secret": Promise(True),
        "read_by": Names(),
        "schema": SchemaFacet(taken=True),
    }
)
_COMMAND: Final = Record({"help": WORDS, "options": Names()})

SURFACE: Final[Mapping[str, Facet]] = {
    "tools": Things(_TOOL),
    "resources": Things(_RESOURCE),
    "templates": Things(_RESOURCE),
    "prompts": Things(_PROMPT),
    "errors": Things(Record({"retryable": FIXED})),
    "contract": Record(
        {
            "request": Published(taken=True, mend=_MEND),
            "response": Published(taken=False, mend=_MEND),
            "part": Published(taken=False, mend=_MEND),
        }
    ),
    "settings": Things(_SETTING, demanded=_required),
    "commands": Things(_COMMAND),
    "exit_codes": Things(FIXED),
    "scenarios": SchemaFacet(taken=True),
    "faults": Things(Record({"about": WORDS, "services": Names(), "phrases": Names(), "fields": Things(FIXED)})),
    "rules": Things(Record({"says": WORDS})),
}
"""Every part of the surface, and what a change of it means."""


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """What has changed from one surface (`collected.surface`, or a file of it) to another, the heaviest first."""
    found = [
        change
        for name, facet in SURFACE.items()
        for change in facet.changes(old.get(name) or {}, new.get(name) or {}, name)
    ]
    return sorted(found, key=lambda change: -change.weight)
