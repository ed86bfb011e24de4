"""``tzzr mocks``: the fakes on ports."""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
from collections.abc import Mapping

from tzzr_mocks.control import PlanError
from tzzr_mocks.served import DEFAULT_PORTS, serve
from tzzr_mocks.world import World
from tzzr_scenarios.cli import COULD_NOT_RUN, PASSED
from tzzr_scenarios.commands.interruption import interrupted

_EPILOG = """\
examples:
  tzzr mocks                                        the fakes on their ports, until Ctrl-C
  tzzr mocks --fault 'grace: first 2 calls fail with 503'
  eval "$(tzzr mocks --print-env)" && mcp-server-tzzr   what a server needs to reach them

The live page shows requests as they come, and switches faults. Worlds for parallel CI jobs: header X-TZZR-World, or a
key that ends in @name; see docs/fakes.md, and the control plane's OpenAPI under /__tzzr/openapi.json.
"""

_LAST_PORT = 65_535


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    for service, port in DEFAULT_PORTS.items():
        about = f"port of {service} (default %(default)s; 0: any free one)"
        parser.add_argument(f"--{service}-port", type=_port, default=port, metavar="PORT", help=about)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    parser.add_argument("--token", help="token that opens the control plane to other machines, sent in X-TZZR-Token")
    parser.add_argument("--seed", type=int, default=7, help="seed of the default world (default %(default)s)")
    parser.add_argument(
        "--world", default="default", help="named starting world, such as recorded (default %(default)s)"
    )
    parser.add_argument("--fault", action="append", default=[], metavar="FAULT", help="a fault from the start")
    parser.add_argument("--print-env", action="store_true", help="print the environment to export, and end")


def _port(word: str) -> int:
    port = int(word) if word.isdecimal() else -1
    if not 0 <= port <= _LAST_PORT:
        raise argparse.ArgumentTypeError(f"{word!r} is no port: a number from 0 to {_LAST_PORT} is expected")
    return port


def main(options: argparse.Namespace) -> int:
    """Serve until interrupted; 2 when a port is taken or a fault could never act."""
    try:
        return asyncio.run(_serve(options))
    except (PlanError, OSError, ValueError) as error:
        print(f"tzzr mocks: {error}", file=sys.stderr)
        return COULD_NOT_RUN


async def _serve(options: argparse.Namespace) -> int:
    world = World(options.seed, time="real", starting=options.world)
    ports = {service: getattr(options, f"{service}_port") for service in DEFAULT_PORTS}
    async with serve(world, ports=ports, host=options.host, token=options.token) as server:
        for fault in options.fault:
            world.plan.add(fault)
        print(exports(server.environment))
        if options.print_env:
            return PASSED
        print(f"# the fakes are up; live page {server.page} (Ctrl-C ends them)", flush=True)
        await interrupted()
    return PASSED


def exports(environment: Mapping[str, str]) -> str:
    """The environment as lines that a shell takes."""
    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in environment.items())
