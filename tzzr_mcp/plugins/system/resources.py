"""``tzzr://servers/status`` (contract §5)."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tzzr_mcp.plugins.api import Call, ServiceStatus


async def read_status(call: Call[Any]) -> str:
    """How each service is now; never fails as a whole."""
    services = [_told(row) for row in await call.server.services()]
    checked_at = call.seams.clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps({"checked_at": checked_at, "services": services}, ensure_ascii=False, indent=1)


def _told(row: ServiceStatus) -> dict[str, Any]:
    """The fields of contract §5; ``modules`` only where a breaker inside the service is not closed."""
    fields = asdict(row)
    return fields if row.modules else {name: value for name, value in fields.items() if name != "modules"}
