"""``tzzr://servers/status`` (contract §5)."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from tzzr_mcp.output import Source
from tzzr_mcp.plugins.api import Call, ServiceStatus

ORIGIN: Final = "Servidor TZZR"
"""What the server says of itself comes from."""


async def read_status(call: Call[Any]) -> str:
    """How each service is now; never fails as a whole."""
    rows = await call.server.services()
    now = call.seams.clock.now()
    call.origins.append(Source(ORIGIN, "computation", now, any(row.simulated for row in rows)))
    checked_at = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    services = [_told(row) for row in rows]
    return json.dumps({"checked_at": checked_at, "services": services}, ensure_ascii=False, indent=1)


def _told(row: ServiceStatus) -> dict[str, Any]:
    """The fields of contract §5; ``modules`` only where a breaker inside the service is not closed."""
    left_out = {"simulated"} if row.modules else {"simulated", "modules"}
    return {name: value for name, value in asdict(row).items() if name not in left_out}
