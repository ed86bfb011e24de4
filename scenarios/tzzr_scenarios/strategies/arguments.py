"""Arguments of the MCP tools: what they accept, and what is one mistake away from it (CONTRACT §5).

A tool is named, or given by its input schema as ``tools/list`` shows it, of this server or of any other. The
argument ``archivo``, a path on the server's machine, is left out: what it accepts depends on the machine.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st

from tzzr_mcp.contract.arguments import SOURCES
from tzzr_mcp.contract.catalogue import MEDIA_TYPES
from tzzr_mcp.contract.tools import INPUT_SCHEMAS
from tzzr_mcp.seams.spelling import nearest
from tzzr_scenarios.stage import input_schemas
from tzzr_scenarios.strategies import schemas
from tzzr_scenarios.strategies.schemas import Schema
from tzzr_scenarios.strategies.values import Json, files, texts

Tool = str | Mapping[str, Any]
"""A tool's name (one of the 12, or of the plugin ``finance``), or an input schema."""

_KINDS: Final = {"imagen_base64": "image", "audio_base64": "audio", "contenido_base64": "binary"}
_LEFT_OUT: Final = "archivo"
RESOURCES: Final = (
    "tzzr://servers/status",
    "tzzr://grace/modules",
    *(f"tzzr://hst/tags/{name}" for name in ("hst", "spe", "flg")),
    "tzzr://hst/tag/ES",
    "tzzr://context/alfred",
)
"""Resources of the server: the five, and one of each template."""


def schema_of(tool: Tool) -> Schema:
    """The tool's input schema, without ``archivo``; ValueError for a name that no tool has, with the nearest one."""
    schema = _named(tool) if isinstance(tool, str) else tool
    properties = {name: each for name, each in schema.get("properties", {}).items() if name != _LEFT_OUT}
    return {**schema, "properties": properties}


@cache
def _named(tool: str) -> Schema:
    known = input_schemas()
    if tool not in known:
        near = nearest(tool, known)
        meant = f"; did you mean {near!r}?" if near else ""
        raise ValueError(f"no tool is called {tool!r}{meant} There are: {', '.join(known)}")
    return known[tool]


def accepted(tool: Tool) -> st.SearchStrategy[dict[str, Json]]:
    """Arguments that the tool's schema accepts. Not all can be translated: texts may be blank, sources missing."""
    return schemas.accepted(schema_of(tool))


def valid(tool: Tool) -> st.SearchStrategy[dict[str, Json]]:
    """Arguments that the tool takes: accepted by its schema, and by §5 where the tool is GRACE's.

    That is: exactly one source of content, sendable text, base64 that begins as its media type says. `explorar_recursos`
    takes the server's own resources.
    """
    if isinstance(tool, str) and tool in INPUT_SCHEMAS:
        return _translatable(tool)
    if tool == "explorar_recursos":
        return st.just({}) | st.sampled_from(RESOURCES).map(lambda uri: {"uri": uri})
    return accepted(tool)


@st.composite
def _translatable(draw: st.DrawFn, tool: str) -> dict[str, Json]:
    schema = schema_of(tool)
    required, sources = schema.get("required", ()), SOURCES.get(tool, ("texto",))
    source = draw(st.sampled_from([name for name in sources if name in schema["properties"]]))
    drawn = draw(texts().map(lambda text: {source: text}) if source == "texto" else _content(source))
    for name in schema["properties"]:
        if name in {*_KINDS, "texto", "tipo_mime"}:
            continue
        if name in required or draw(st.booleans()):
            drawn[name] = draw(schemas.accepted(schema["properties"][name]))
    return drawn


@st.composite
def _content(draw: st.DrawFn, source: str) -> dict[str, Json]:
    """Base64 of some bytes, and what they are where there is a choice."""
    media_type = draw(st.sampled_from(MEDIA_TYPES[_KINDS[source]]))
    told = {source: base64.b64encode(draw(files(media_type))).decode()}
    return {**told, "tipo_mime": media_type} if source != "contenido_base64" and draw(st.booleans()) else told


def nearly_valid(tool: Tool) -> st.SearchStrategy[dict[str, Json]]:
    """Arguments with one mistake, which the tool must refuse by the argument's name.

    Against the schema: one missing, unknown, misspelt, of another type, beyond a limit. Where the tool is GRACE's also
    against §5: no source or two, blank text, NUL, half a character, content that is not base64 or of no known type.
    """
    spoilt = schemas.refused(schema_of(tool))
    if isinstance(tool, str) and tool in INPUT_SCHEMAS:
        return spoilt | _untranslatable(tool)
    return spoilt


_UNSENDABLE: Final = (" ", "\n\t", "\x00", "a\x00b", "\ud800", "b\udfff")


@st.composite
def _untranslatable(draw: st.DrawFn, tool: str) -> dict[str, Json]:
    given = draw(valid(tool))
    sources = [name for name in SOURCES.get(tool, ("texto",)) if name != _LEFT_OUT]
    source = next(name for name in sources if name in given)
    spoilt: Json = draw(st.sampled_from(_UNSENDABLE)) if source == "texto" else draw(_bad_content(source))
    # What a tipo_mime says of bytes that nobody knows is believed.
    ways = [{name: value for name, value in {**given, source: spoilt}.items() if name != "tipo_mime"}]
    if len(sources) > 1:
        ways.append({**given, **dict.fromkeys(sources, "AAAA")})
    if tool in SOURCES:
        ways.append({name: value for name, value in given.items() if name not in sources})
    return draw(st.sampled_from(ways))


def _bad_content(source: str) -> st.SearchStrategy[str]:
    no_base64 = ["A===", "ab c", "data:image/png;base64,AAAA", "AAAA\nAAAA", "ñandú"]
    return st.sampled_from(no_base64 if source == "contenido_base64" else ["AAAA", *no_base64])
