"""How a service is, in the terms of ``tzzr://servers/status`` (contract §5)."""

from __future__ import annotations

from typing import Any, Final

from tzzr_mcp.services.troubles import Trouble
from tzzr_mcp.services.upstream import Sight, Upstream

_DETAILS: Final = {
    Trouble.UNREACHABLE: "no se puede conectar",
    Trouble.TIMEOUT: "no contesta a tiempo",
    Trouble.DEADLINE: "no contesta a tiempo",
    Trouble.AUTH: "rechaza las credenciales",
    Trouble.FORBIDDEN: "rechaza las credenciales",
    Trouble.NOT_FOUND: "no existe en esa dirección",
    Trouble.RATE_LIMITED: "recibe demasiadas peticiones",
    Trouble.BROKEN: "contesta con un error interno",
}


def describe(name: str, upstream: Upstream, sight: Sight) -> dict[str, Any]:
    """The fields of one row. Reachable means that it answered as it should; if not, the detail says what it did."""
    trouble = sight.trouble
    return {
        "name": name,
        "base_url": upstream.door.base_url,
        "configured": True,
        "reachable": trouble is None,
        "latency_ms": sight.latency_ms,
        "breaker": str(upstream.breaker.state),
        "simulated": sight.simulated,
        "detail": sight.detail if trouble is None else _DETAILS.get(trouble, "contesta algo que no se entiende"),
    }
