"""The book of the rules for MCP servers, and its themes."""

from __future__ import annotations

from typing import Final

from tzzr_scenarios.conform.mcp.probe import Probe
from tzzr_scenarios.conform.rule import RuleBook

OLD: Final = "2025-11-25"
NEW: Final = "2026-07-28"

BOOK: Final[RuleBook[Probe]] = RuleBook(
    "mcp",
    {
        "era": "The handshake, and what each era adds to every answer",
        "rpc": "JSON-RPC",
        "http": "Streamable HTTP",
        "names": "What the server offers, by name",
        "schemas": "What tools take and give",
        "lists": "Pages of lists",
        "resources": "Resources and templates",
        "prompts": "Prompts",
        "errors": "How mistakes are told",
        "results": "What a call gives",
    },
)
