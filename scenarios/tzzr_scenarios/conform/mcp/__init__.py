"""What MCP and TZZR's specification demand of a server, as rules that are asked in both protocol eras.

Written from the protocol's revisions 2025-11-25 and 2026-07-28, the specification of TZZR's server (its tools, resources
and prompts) and contract §5. Requests are JSON-RPC messages made here, so that no SDK tidies up what a server says.
"""

from __future__ import annotations

from tzzr_scenarios.conform.mcp import errors, http, lists, names, prompts, protocol, resources, results, schemas
from tzzr_scenarios.conform.mcp.book import BOOK

__all__ = ["BOOK", "errors", "http", "lists", "names", "prompts", "protocol", "resources", "results", "schemas"]
