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

PROFILES: Mapping[str, Mapping[str, str]] = {
    "poc": {
        "TZZR_PLUGINS": "finance",
        "TZZR_TRANSPORT": "http,sse",
        "TZZR_HTTP_HOST": "0.0.0.0",  # noqa: S104 - the third seed's address; its plugin has no secret and no upstream
        "TZZR_HTTP_PORT": "3001",
    }
}
"""Settings by the name of a profile. The environment and the command line go before all but the plugins."""

_VARIABLES = {"transport": "TZZR_TRANSPORT", "host": "TZZR_HTTP_HOST", "port": "TZZR_HTTP_PORT"}

EPILOG = """\
examples:
  mcp-server-tzzr --offline        try everything now: no key, no network, answers marked as simulated
  mcp-server-tzzr --settings       every environment variable, who needs it, and whether it is set
  mcp-server-tzzr --transport http --port 8000
                                   Streamable HTTP at http://127.0.0.1:8000/mcp; docs/deploy.md says how to go public
  mcp-server-tzzr --profile poc    the distributed proof of concept: 0.0.0.0:3001, /sse and /mcp, plugin finance alone
  TZZR_PLUGINS=system,hst mcp-server-tzzr
                                   only some plugins: keys of the others are not needed

in an MCP client's configuration (Claude Desktop, Cursor, ...):
  {"mcpServers": {"tzzr": {"command": "mcp-server-tzzr",
                           "env": {"RUNPOD_API_KEY": "...", "HST_TOKEN": "..."}}}}

The server speaks MCP on stdin and stdout, or over HTTP, and logs on stderr. Exit codes: 0 the client has gone, 78 the settings
or a plugin must be mended (stderr says how), 130 and 143 ended by Ctrl+C and by SIGTERM.
"""


def main(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Run the command; returns the exit code."""
    options = parser().parse_args(argv)
    environ = os.environ if environ is None else environ
    from tzzr_mcp.settings import StartError  # noqa: PLC0415

    try:
        return _act(options, environ)
    except StartError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return error.exit_code


def parser() -> argparse.ArgumentParser:
    """What reads the command line."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="The TZZR MCP server: GRACE's cognitive modules and the HST tags as MCP tools.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    parser.add_argument("--offline", action="store_true", help="serve from the built-in fakes (same as TZZR_OFFLINE=1)")
    _serving(parser)
    show = parser.add_mutually_exclusive_group()
    show.add_argument("--list-plugins", action="store_true", help="list the installed plugins and what they bring")
    show.add_argument("--settings", action="store_true", help="list every environment variable; secrets are not shown")
    return parser


def _serving(parser: argparse.ArgumentParser) -> None:
    serving = parser.add_argument_group("serving", "Each but --profile and --workers is a setting too: see --settings.")
    serving.add_argument(
        "--transport", metavar="NAME", help="stdio (default), http, sse, several with commas between, or all"
    )
    serving.add_argument("--host", help="address to listen on (default 127.0.0.1); others demand a token")
    serving.add_argument("--port", help="port to listen on (default 8000); 0 takes a free one")
    serving.add_argument("--workers", type=_count, default=1, metavar="N", help="processes that share the port")
    serving.add_argument(
        "--profile", choices=sorted(PROFILES), help="poc: 0.0.0.0:3001, http and sse, plugin finance alone, no token"
    )


def _count(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is no number of processes; give 1 or more")
    return int(word)


def _settled(options: argparse.Namespace, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment, with what the command line and its profile say."""
    given = {variable: getattr(options, name) for name, variable in _VARIABLES.items()}
    profile = PROFILES.get(options.profile, {})
    forced = {name: profile[name] for name in ("TZZR_PLUGINS",) if name in profile}
    said = {variable: value for variable, value in given.items() if value is not None}
    return {**profile, **environ, **said, **forced}


def _act(options: argparse.Namespace, environ: Mapping[str, str]) -> int:
    if options.list_plugins or options.settings:
        from tzzr_mcp.server.tables import plugins_table, settings_table  # noqa: PLC0415

        print((plugins_table if options.list_plugins else settings_table)(environ))
        return 0
    from tzzr_mcp.server.launch import launch  # noqa: PLC0415
    from tzzr_mcp.server.transports.how import How  # noqa: PLC0415

    how = How(options.offline, open_to_all=options.profile is not None, workers=options.workers)
    return launch(_settled(options, environ), how)
