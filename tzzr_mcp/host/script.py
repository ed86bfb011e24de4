"""The host's command line: ``tzzr host``, and ``python -m tzzr_mcp.host`` where ``tzzr`` is not installed."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import threading
from collections.abc import Mapping

from tzzr_mcp.host.client import ERAS, target
from tzzr_mcp.host.errors import HostError
from tzzr_mcp.host.host import Host

DEFAULT_URL = "http://localhost:3001/sse"
OK, TOOL_FAILED, NO_SERVER, INTERRUPTED = 0, 1, 2, 130

EPILOG = """\
examples:
  tzzr host                                  the server of the proof of concept on this machine
  tzzr host http://192.168.1.50:3001/sse     the one on another machine
  SERVER_URL=http://192.168.1.50:3001/sse tzzr host
  tzzr host http://localhost:8000/mcp --interactive

The argument comes before SERVER_URL, which comes before http://localhost:3001/sse. A bearer token is read from
SERVER_TOKEN. Exit codes: 0 every call gave a result, 1 a tool reported an error, 2 no server or the connection broke.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = EPILOG
    parser.add_argument("url", nargs="?", metavar="URL", help=f"the server (default: SERVER_URL, then {DEFAULT_URL})")
    parser.add_argument(
        "--transport", choices=("sse", "http"), help="HTTP+SSE or Streamable HTTP (default: by the path)"
    )
    parser.add_argument(
        "--era",
        choices=ERAS,
        default="auto",
        help="protocol version (default: the newest in common; over SSE, 2025-11-25)",
    )
    parser.add_argument(
        "-i", "--interactive", action="store_true", help="call any tool, its arguments asked one by one"
    )


def main(options: argparse.Namespace, environ: Mapping[str, str] | None = None) -> int:
    """Run the host; the exit code."""
    environ = os.environ if environ is None else environ
    # What the SDK logs of a broken stream is a traceback; the person gets a sentence.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    try:
        where = target(
            options.url or environ.get("SERVER_URL") or DEFAULT_URL, options.transport, environ.get("SERVER_TOKEN")
        )
        host = Host(where, _say, ask, options.era)
        well = asyncio.run(host.run(interactive=options.interactive))
    except HostError as error:
        print(f"host: {error}", file=sys.stderr)
        return NO_SERVER
    except KeyboardInterrupt:
        print("\nhost: interrupted", file=sys.stderr)
        return INTERRUPTED
    return OK if well else TOOL_FAILED


def _say(line: str) -> None:
    print(line, flush=True)


async def ask(prompt: str) -> str:
    """One line from the keyboard, in a thread that no exit waits for.

    Raises:
        EOFError: there is none any more.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

    def settle(words: str | None) -> None:
        if not answer.done():
            answer.set_result(words) if words is not None else answer.set_exception(EOFError())

    def read() -> None:
        try:
            words: str | None = input(prompt)
        except (EOFError, ValueError, OSError):
            words = None
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, words)

    threading.Thread(target=read, name="keyboard", daemon=True).start()
    return await answer
