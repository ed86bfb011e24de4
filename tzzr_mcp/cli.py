"""The command ``mcp-server-tzzr``: what an MCP client starts, and what tells a person how to set it up.

What serving needs is imported when it serves: ``--help`` and a wrong option answer at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

from tzzr_mcp import __version__

PROGRAM = "mcp-server-tzzr"

EPILOG = """\
examples:
  mcp-server-tzzr --offline        try everything now: no key, no network, answers marked as simulated
  mcp-server-tzzr --settings       every environment variable, who needs it, and whether it is set
  TZZR_PLUGINS=system,hst mcp-server-tzzr
                                   only some plugins: keys of the others are not needed

in an MCP client's configuration (Claude Desktop, Cursor, ...):
  {"mcpServers": {"tzzr": {"command": "mcp-server-tzzr",
                           "env": {"RUNPOD_API_KEY": "...", "HST_TOKEN": "..."}}}}

The server speaks MCP on stdin and stdout and logs on stderr. Exit codes: 0 the client has gone, 78 the settings
or a plugin must be mended (stderr says how), 130 and 143 ended by Ctrl+C and by SIGTERM.
"""


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Run the command; returns the exit code."""
    options = _parser().parse_args(argv)
    environ = os.environ if environ is None else environ
    from tzzr_mcp.settings import StartError  # noqa: PLC0415

    try:
        return _act(options, environ)
    except StartError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return error.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="The TZZR MCP server: GRACE's cognitive modules and the HST tags as MCP tools.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    parser.add_argument("--offline", action="store_true", help="serve from the built-in fakes (same as TZZR_OFFLINE=1)")
    show = parser.add_mutually_exclusive_group()
    show.add_argument("--list-plugins", action="store_true", help="list the installed plugins and what they bring")
    show.add_argument("--settings", action="store_true", help="list every environment variable; secrets are not shown")
    return parser


def _act(options: argparse.Namespace, environ: Mapping[str, str]) -> int:
    if options.list_plugins or options.settings:
        from tzzr_mcp.server.tables import plugins_table, settings_table  # noqa: PLC0415

        print((plugins_table if options.list_plugins else settings_table)(environ))
        return 0
    from tzzr_mcp.server.launch import launch  # noqa: PLC0415

    return launch(environ, offline=options.offline)
