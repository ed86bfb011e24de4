"""``tzzr call``: one tool, offline, its result as a person would read it."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator
from typing import Any

from mcp import Client, MCPError
from rich.console import Console
from rich.table import Table

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.settings import DEFAULT_PLUGINS, StartError
from tzzr_mocks.control import PlanError
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios import runner
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands.words import WordError
from tzzr_scenarios.commands.words import arguments as typed
from tzzr_scenarios.observation import Observation, of_tool
from tzzr_scenarios.spelling import suggestion
from tzzr_scenarios.stage import ERAS, staged

_EPILOG = """\
examples:
  tzzr call clasificar texto='Factura de la luz de marzo'
  tzzr call extraer_campos texto=@factura.txt
  tzzr call ocr archivo=@foto.png --fault 'grace: OCR_LOCAL is down'
  tzzr call clasificar texto=hola categorias=saludo,despedida --json
  tzzr call resumir texto=@informe.txt --progress --fault 'grace: SUMMARIZER takes 9s'
  tzzr call --plugins finance calculate_loan_amortization principal=1000 annualInterestRate=5 termMonths=12 --tables

key=@path reads a file here; archivo=@path sends its bytes, so that no folder of the server need be opened.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("tool", nargs="?", help="the tool's name; all tools are listed when it is left out")
    parser.add_argument("words", nargs="*", metavar="key=value", help="the tool's arguments")
    parser.add_argument(
        "--plugins", default=DEFAULT_PLUGINS, metavar="NAMES", help="plugins of the server (default %(default)s)"
    )
    parser.add_argument("--fault", action="append", default=[], metavar="FAULT", help="a fault below the server")
    parser.add_argument("--seed", type=int, default=runner.DEFAULT_SEED, help="seed of the world (default %(default)s)")
    parser.add_argument("--era", choices=ERAS, default=ERAS[0], help="protocol era (default %(default)s)")
    parser.add_argument("--tables", action="store_true", help="print the result's tables too")
    parser.add_argument("--json", action="store_true", help="print the result as the protocol has it")
    parser.add_argument(
        "--progress", action="store_true", help="ask for progress, and print each notice of it on standard error"
    )
    parser.add_argument("--list-modules", action="store_true", help="list the S-CONTRACT modules and end")


def main(options: argparse.Namespace) -> int:
    """Call the tool; 0 a result, 1 the tool reported an error, 2 nothing was called."""
    if options.list_modules:
        print("\n".join(_module_lines()))
        return PASSED
    try:
        with asyncio.Runner(loop_factory=new_virtual_loop) as loop:
            return loop.run(_perform(options))
    except (WordError, PlanError, StartError) as error:
        print(f"tzzr call: {error}", file=sys.stderr)
        return COULD_NOT_RUN


def _module_lines() -> list[str]:
    chains = {module.name: " → ".join(module.chain) for module in MODULES.values()}
    return [
        f"{module.name:<20} {module.family:<11} {module.tool or '—':<16} {chains[module.name]}".rstrip()
        for module in MODULES.values()
    ]


async def _perform(options: argparse.Namespace) -> int:
    settings = {"TZZR_PLUGINS": options.plugins}
    async with (
        staged(options.seed, faults=options.fault, settings=settings) as stage,
        stage.client(options.era) as client,
    ):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        if options.tool is None:
            print("\n".join(f"{tool.name:<18} {tool.title}" for tool in tools.values()))
            return PASSED
        if options.tool not in tools:
            raise WordError(f"there is no tool {options.tool!r}; {suggestion(options.tool, list(tools), 'tools')}")
        given = typed(options.tool, tools[options.tool].input_schema, options.words)
        return await _call(client, options, given)


async def _call(client: Client, options: argparse.Namespace, given: dict[str, Any]) -> int:
    asking: Any = {"progress_callback": _tell, "meta": {"progressToken": "tzzr call"}} if options.progress else {}
    try:
        result = await client.call_tool(options.tool, given, **asking)
    except MCPError as error:
        print(f"tzzr call: JSON-RPC error {error.code}: {error.message}", file=sys.stderr)
        return FAILED
    seen = of_tool(result, 0.0)
    if options.json:
        print(
            json.dumps(result.model_dump(mode="json", by_alias=True, exclude_none=True), indent=2, ensure_ascii=False)
        )
    else:
        _print(seen, tables=options.tables)
    if seen.error and seen.error["code"] == "FILE_NOT_ALLOWED" and "archivo" in given:
        print(f"tzzr call: archivo=@{given['archivo']} reads the file here and sends its bytes", file=sys.stderr)
    return FAILED if result.is_error else PASSED


async def _tell(progress: float, total: float | None, message: str | None) -> None:
    print(message, file=sys.stderr, flush=True)


def _print(seen: Observation, *, tables: bool) -> None:
    console = Console(highlight=False)
    structured = seen.structured or {}
    notice = structured.get("notice")
    if notice and not seen.text.startswith(notice["text"]):
        console.print(notice["text"], markup=False, soft_wrap=True)
    console.print(seen.text, markup=False, soft_wrap=True)
    for table in structured.get("tables", []) if tables else ():
        console.print(_table(table))
    if remarks := list(_remarks(seen, tables=tables)):
        console.print(f"  {' · '.join(remarks)}", style="dim", markup=False, soft_wrap=True)


def _table(table: dict[str, Any]) -> Table:
    drawn = Table(title=table["title"], title_justify="left", show_edge=False, pad_edge=False)
    for column in table["columns"]:
        right = column["type"] in ("number", "integer")
        unit = f" ({column['unit']})" if column.get("unit") else ""
        drawn.add_column(f"{column['title']}{unit}", justify="right" if right else "left")
    for row in table["rows"]:
        drawn.add_row(*(_cell(cell) for cell in row))
    return drawn


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.4f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell)


def _remarks(seen: Observation, *, tables: bool) -> Iterator[str]:
    """What the text does not say: the error's code, the route of a chain, the tables that are there to be seen."""
    if seen.error:
        yield f"código: {seen.error.get('code')}"
    if len(seen.hops) > 1 and "ruta:" not in seen.text:
        yield f"ruta: {' → '.join(seen.hops)}"
    held = (seen.structured or {}).get("tables", [])
    if held and not tables:
        counted = "; ".join(f"{table['title']}, {_rows(table)}" for table in held)
        yield f"{counted} (--tables)"


def _rows(table: dict[str, Any]) -> str:
    count = len(table["rows"])
    return f"{count} fila{'' if count == 1 else 's'}"
