"""``tzzr conform``: holds a service to rules or to recorded answers, and says where it differs."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

_KINDS = {
    "grace": "an S-CONTRACT service, over RunPod or plain HTTP",
    "hst": "a Directus with HST's collections",
    "mcp": "an MCP server like this one, over HTTP or as a command",
    "fake": "what this package brings, in this process",
}
_EPILOG = """\
examples:
  tzzr conform fake
  RUNPOD_API_KEY=… tzzr conform grace --url https://api.runpod.ai/v2/grace
  HST_TOKEN=… tzzr conform hst --url https://hst.example
  tzzr conform mcp --url http://127.0.0.1:8000/mcp
  tzzr conform mcp -- python -m my_server
  tzzr conform grace --list
"""


def _kind(name: str) -> Any:
    return importlib.import_module(f"tzzr_scenarios.commands.conform_{name}")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments: a kind of service, and what that kind takes."""
    parser.epilog = _EPILOG
    kinds = parser.add_subparsers(title="kinds", dest="kind_of", metavar="KIND", required=True)
    for name, what in _KINDS.items():
        kind = _kind(name)
        kind.arguments(
            kinds.add_parser(
                name, help=what, description=kind.ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
            )
        )


def main(options: argparse.Namespace) -> int:
    """Ask and judge; 0 nothing is broken, 1 something is, 2 it could not be asked."""
    code: int = _kind(options.kind_of).main(options)
    return code
