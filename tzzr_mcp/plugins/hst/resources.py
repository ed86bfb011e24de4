"""``tzzr://hst/tags/…`` and ``tzzr://hst/tag/{ref}`` (seed §4), and the completion of refs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tzzr_mcp.contract.errors import Code, ContractError
from tzzr_mcp.output import Source
from tzzr_mcp.plugins.api import Call, ResourceNotFound
from tzzr_mcp.plugins.hst.declarations import SOURCE
from tzzr_mcp.services.hst import Hst
from tzzr_mcp.services.tags import LIBRARIES, proposals


async def read_hst(call: Call[Hst]) -> str:
    """The base tags."""
    return await _library(call, "hst")


async def read_spe(call: Call[Hst]) -> str:
    """The lighting tags."""
    return await _library(call, "spe")


async def read_flg(call: Call[Hst]) -> str:
    """The countries."""
    return await _library(call, "flg")


async def read_tag(call: Call[Hst]) -> str:
    """One tag as JSON.

    Raises:
        ResourceNotFound: Directus has no such tag, or does not let it be read; the message names the nearest.
        ContractError: Directus could not be asked.
    """
    try:
        found = await call.clients.tag(str(call.arguments["ref"]), call.deadline, call.trace_id)
    except ContractError as error:
        if error.failure.code is Code.HST_NOT_FOUND:
            raise ResourceNotFound(error.failure.message) from error
        raise
    call.origins.append(Source(SOURCE, "dataset", found.read_at, found.simulated))
    return _json({**found.tag.as_json(), "simulado": found.simulated})


async def complete_ref(call: Call[Hst], prefix: str) -> Sequence[str]:
    """The refs for what somebody began to type, from the tags in memory."""
    libraries = await call.clients.libraries(LIBRARIES, call.deadline, call.trace_id)
    return proposals((entry for library in libraries for entry in library.entries), prefix)


async def _library(call: Call[Hst], name: str) -> str:
    library = await call.clients.library(name, call.deadline, call.trace_id)
    call.origins.append(Source(SOURCE, "dataset", library.read_at, library.simulated))
    return _json(
        {
            "biblioteca": name,
            "coleccion": LIBRARIES[name],
            "total": len(library.entries),
            "leido": library.read_at.isoformat(timespec="seconds"),
            "simulado": library.simulated,
            "tags": [tag.as_json() for tag in library.tags],
        }
    )


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)
