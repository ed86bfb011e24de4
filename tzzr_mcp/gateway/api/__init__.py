"""The gateway over HTTP: answers as server-sent events, and what there is to ask with. Needs the extra ``[gateway]``."""

from __future__ import annotations

from tzzr_mcp.gateway.api.access import Access, access_of
from tzzr_mcp.gateway.api.app import create_app

__all__ = ["Access", "access_of", "create_app"]
