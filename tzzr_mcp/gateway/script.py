"""``python -m tzzr_mcp.gateway``: API and page on one port, everything from the environment."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Mapping, Sequence

from tzzr_mcp.checks.environment import EX_CONFIG, GATEWAY, StartError, did_you_mean, is_secret, variables
from tzzr_mcp.gateway.settings import GatewaySettings

log = logging.getLogger(__name__)

OK, INTERRUPTED = 0, 130


def main(arguments: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> int:
    """Serve until a signal comes; the exit code."""
    options = _parser().parse_args(arguments)
    if options.settings:
        print("\n".join(settings_lines()))
        return OK
    environ = os.environ if environ is None else environ
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    try:
        settings = GatewaySettings.from_env(environ)
        for strange in unknown(environ):
            log.warning("%s", strange)
        return asyncio.run(_served(settings, environ))
    except StartError as error:
        print(f"gateway: {error}", file=sys.stderr)
        return EX_CONFIG
    except KeyboardInterrupt:
        return INTERRUPTED


def unknown(environ: Mapping[str, str]) -> list[str]:
    """One sentence for each variable that looks like the gateway's and is none, with the nearest that is."""
    known = variables(GatewaySettings)
    strange = sorted(name for name in environ if name.startswith(GATEWAY) and name not in known)
    return [f"{name} is set, but is no setting of the gateway{did_you_mean(name, known)}" for name in strange]


def settings_lines() -> list[str]:
    """One line per variable, as the docs' table has them."""
    lines = ["| variable | default | what it is |", "|---|---|---|"]
    for name, info in variables(GatewaySettings).items():
        default = "**required**" if info.is_required() else "" if info.default in (None, "") else f"`{info.default}`"
        secret = " (secret)" if is_secret(info) else ""
        lines.append(f"| `{name}` | {default} | {info.description}{secret} |")
    return lines


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tzzr_mcp.gateway",
        description="Serve the chat gateway: its API under /api, its page at /. Settings come from the environment.",
    )
    parser.add_argument("--settings", action="store_true", help="print every setting, and end")
    return parser


async def _served(settings: GatewaySettings, environ: Mapping[str, str]) -> int:
    try:
        from tzzr_mcp.gateway.serve import serve  # noqa: PLC0415 - comes with an extra
    except ImportError as error:
        raise StartError(_NO_EXTRA.format(module=error.name)) from error
    await serve(settings, environ)
    return OK


_NO_EXTRA = """\
the module {module} is not installed, which the gateway needs.
  Install the extra: pip install 'mcp-server-tzzr[gateway]'"""
