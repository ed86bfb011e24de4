"""``tzzr chat``: a conversation with the whole of it, offline: page, gateway, model, server, upstreams."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import webbrowser
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tzzr_mcp.settings import EX_CONFIG, StartError
from tzzr_mocks.control import PlanError
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios import runner
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands.interruption import interrupted

if TYPE_CHECKING:
    from tzzr_mcp.gateway.gateway import Gateway

PLUGINS = "system,grace,hst,context,finance"
PORT = 8090
_EPILOG = """\
examples:
  tzzr chat                                          the page, offline, on a port of this machine
  tzzr chat '¿Qué cuota tiene un préstamo de 250000 al 12.5 % a 48 meses?'   one answer, here
  tzzr chat --fault 'llm: first call is cut short after=6'                   a model that breaks off
  TZZR_MODEL_API_KEY=… tzzr chat --model gpt-5       a real model; the data stay simulated

Offline the model is a fake that chooses tools by the words of the question and answers with what they say. With --model
it is the one that TZZR_MODEL_API, TZZR_MODEL_BASE_URL and TZZR_MODEL_API_KEY lead to (docs/gateway.md).
"""
_NO_EXTRA = """\
tzzr chat: the module {module} is not installed, which the chat gateway needs.
  Install the extra: pip install 'mcp-server-tzzr[harness,gateway]'"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "question", nargs="?", help="one question, answered here; the page is served when it is left out"
    )
    parser.add_argument(
        "--port", type=int, default=PORT, help="port of the page (default %(default)s; 0: any free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the page's address and open nothing")
    parser.add_argument("--model", metavar="NAME", help="a real model instead of the fake one")
    parser.add_argument("--fault", action="append", default=[], metavar="FAULT", help="a fault below gateway or server")
    parser.add_argument("--seed", type=int, default=runner.DEFAULT_SEED, help="seed of the world (default %(default)s)")
    parser.add_argument("--plugins", default=PLUGINS, help="plugins of the server (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one answer's events as lines of JSON")


def main(options: argparse.Namespace) -> int:
    """Answer or serve; 0 an answer, 1 none, 2 nothing could be asked, 78 a setting or a package is missing."""
    if options.question is not None and not options.question.strip():
        print("tzzr chat: the question is empty; leave it out to open the page", file=sys.stderr)
        return COULD_NOT_RUN
    offline_answer = options.question is not None and options.model is None
    try:
        with asyncio.Runner(loop_factory=new_virtual_loop if offline_answer else None) as loop:
            return loop.run(_perform(options))
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tzzr_"):
            raise
        print(_NO_EXTRA.format(module=error.name), file=sys.stderr)
        return EX_CONFIG
    except StartError as error:
        print(f"tzzr chat: {error}", file=sys.stderr)
        return EX_CONFIG
    except (PlanError, OSError, ValueError) as error:
        print(f"tzzr chat: {error}", file=sys.stderr)
        return COULD_NOT_RUN


async def _perform(options: argparse.Namespace) -> int:
    async with _opened(options) as gateway:
        return await (_serve(options, gateway) if options.question is None else _answer(options, gateway))


@asynccontextmanager
async def _opened(options: argparse.Namespace) -> AsyncIterator[Gateway]:
    """World, server, model and gateway; on virtual time where nobody but this process takes part."""
    from tzzr_scenarios.chat_stage import gateway_on  # noqa: PLC0415 - comes with an extra
    from tzzr_scenarios.stage import staged  # noqa: PLC0415 - the extra's absence is told first

    real = options.model is not None
    virtual = options.question is not None and not real
    async with (
        staged(
            options.seed,
            faults=options.fault,
            settings={"TZZR_PLUGINS": options.plugins},
            time="virtual" if virtual else "real",
        ) as stage,
        gateway_on(stage, _environ(options), real_model=real) as gateway,
    ):
        yield gateway


def _environ(options: argparse.Namespace) -> Mapping[str, str]:
    return {**os.environ, **({"TZZR_MODEL": options.model} if options.model else {})}


async def _answer(options: argparse.Namespace, gateway: Gateway) -> int:
    from tzzr_mcp.gateway.events import Message  # noqa: PLC0415 - comes with an extra
    from tzzr_scenarios.commands.chat_terminal import Terminal  # noqa: PLC0415 - as above

    terminal = Terminal(as_json=options.json)
    async for event in gateway.turn([Message(role="user", content=options.question)]):
        terminal.take(event)
    terminal.end()
    return PASSED if terminal.answered else FAILED


async def _serve(options: argparse.Namespace, gateway: Gateway) -> int:
    from tzzr_mcp.gateway.api import create_app  # noqa: PLC0415 - comes with an extra
    from tzzr_mcp.gateway.page import mount_page  # noqa: PLC0415 - as above
    from tzzr_mocks.served.port import Port  # noqa: PLC0415 - as above

    app = create_app(gateway)
    mount_page(app)
    port = Port(app, number=options.port)
    page = f"{await port.open()}/"
    model = options.model or "the fake model"
    print(f"tzzr chat: {page}  ({model}, offline data, seed {options.seed}; Ctrl-C ends it)", flush=True)
    if not options.no_browser and _has_screen():
        webbrowser.open(page)
    try:
        await interrupted()
    finally:
        await port.close()
    return PASSED


def _has_screen() -> bool:
    """Whether a browser can open a window; without one, a browser of the terminal would take it over."""
    return sys.platform in ("darwin", "win32") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ))
