"""Every fault kind × every tool that can meet it, without a scenario file: judged by what may never happen.

One cell is a world whose every exchange meets the fault, and two calls of the tool in it that ask different things.
Whatever comes back is a result with its source, or one Spanish sentence; and no verdict is broken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp import Client, MCPError

from tzzr_mocks.network.virtual import Deadlock, new_virtual_loop
from tzzr_scenarios import coverage, files, verdicts
from tzzr_scenarios.observation import Observation, of_tool
from tzzr_scenarios.stage import Offered, Stage, staged

DEADLINE_S = 20.0
"""Seconds that a call has in a sweep: what takes longer is the same at 50."""
SETTINGS: Mapping[str, str] = {"TZZR_CALL_TIMEOUT_S": str(DEADLINE_S), "HST_CACHE_TTL_S": "0"}

CALLS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "clasificar": ({"texto": "Factura de la luz"}, {"texto": "Contrato de alquiler"}),
    "resumir": (
        {"texto": "El contrato empieza en enero. La luz se paga aparte. El agua va incluida."},
        {"texto": "La junta se reúne el lunes. El ascensor no funciona. Se pide presupuesto."},
    ),
    "ocr": ({"archivo": "facturas/factura-luz.pdf"}, {"archivo": "facturas/factura-simple.pdf"}),
    "transcribir": (
        {"archivo": "audio/nota-de-voz.wav"},
        {"archivo": "audio/nota-de-voz.wav", "marcas_de_tiempo": True},
    ),
    "traducir": (
        {"texto": "Buenos días", "idioma_destino": "en"},
        {"texto": "Buenas noches", "idioma_destino": "en"},
    ),
    "extraer_campos": ({"texto": "Factura 2026-1. Total: 121,00 €"}, {"texto": "Factura 2026-2. Total: 242,00 €"}),
    "embeddings": ({"texto": "hola", "dimensiones": 64}, {"texto": "adiós", "dimensiones": 64}),
    "detectar_idioma": (
        {"texto": "Buenos días a todos los vecinos"},
        {"texto": "Good morning to all the neighbours"},
    ),
    "generar_hash": ({"texto": "hola"}, {"texto": "adiós"}),
    "buscar_tags": ({"consulta": "factura"}, {"consulta": "contrato"}),
    "obtener_tag": ({"ref": "ES"}, {"ref": "PT"}),
}
"""Two calls of each tool that asks a service, with different arguments."""


@dataclass(frozen=True)
class Cell:
    """One fault kind of one service, and one tool."""

    tool: str
    kind: str
    service: str


@dataclass(frozen=True)
class Finding:
    """What came of one cell: each call's outcome in one word, what may never happen yet did, and whether it fired."""

    cell: Cell
    outcomes: Sequence[str]
    broken: Sequence[str]
    fired: bool

    @property
    def mark(self) -> str:
        """The cell in the grid."""
        return "✗" if self.broken else "✓" if self.fired else "—"


def cells(offered: Offered) -> list[Cell]:
    """Every cell that is no impossibility, tool by tool."""
    grid = coverage.reachable(offered)
    return [Cell(tool, kind, coverage.service_of(tool)) for tool, kinds in grid.items() for kind in kinds]


def swept(todo: Iterable[Cell], seed: int) -> Iterator[Finding]:
    """What comes of each cell, each on a world and a virtual loop of its own."""
    for cell in todo:
        try:
            with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
                yield runner.run(_played(cell, seed))
        except Deadlock as deadlock:
            yield Finding(cell, (), (f"deadlock: {deadlock}",), fired=True)


async def _played(cell: Cell, seed: int) -> Finding:
    settings = {**SETTINGS, "TZZR_FILES_ROOT": str(files.home() / "documents")}
    rule = {"match": {"service": cell.service}, "effect": {"kind": cell.kind}}
    async with staged(seed, faults=[rule], settings=settings) as stage:
        async with stage.client() as client:
            seen = [await _called(client, cell.tool, number) for number in range(len(CALLS[cell.tool]))]
        return Finding(
            cell,
            [each.outcome for each in seen],
            [*_unfit(seen), *_verdicts(stage, seen)],
            fired=any(event.kind == "fault" for event in stage.world.trace),
        )


async def _called(client: Client, tool: str, number: int) -> Observation:
    """One of the tool's calls. A tool that writes a long text is asked to show it from the second call on."""
    told: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    watching: Any = {"progress_callback": hear, "meta": {"progressToken": "sweep"}}
    asking = watching if number and coverage.writes(tool) else {}
    try:
        return of_tool(await client.call_tool(tool, dict(CALLS[tool][number]), **asking), 0.0, told)
    except MCPError as error:
        return Observation(protocol_error={"code": error.code, "message": error.message})


def _verdicts(stage: Stage, seen: Sequence[Observation]) -> list[str]:
    world = stage.world
    secrets = world.secrets
    evidence = verdicts.Evidence(tuple(world.trace), tuple(world.journal), seen, secrets, DEADLINE_S)
    return [f"{verdict.rule}: {verdict.what}" for verdict in verdicts.judged(evidence)]


def _unfit(seen: Sequence[Observation]) -> Iterator[str]:
    """Which answers are neither a result with its source nor an error; how that is told is a verdict."""
    for each in seen:
        if each.protocol_error is not None:
            yield f"a protocol error instead of an answer: {each.protocol_error}"
        elif each.error is None and not (each.structured or {}).get("source"):
            yield f"a result without source: {each.text[:80]!r}"
        elif each.error is not None and each.error["code"] == "ARGUMENT_INVALID":
            yield f"the sweep's own call was refused before anything was asked: {each.text[:120]!r}"


def table(findings: Sequence[Finding], offered: Offered) -> Iterator[str]:
    """The grid: one line per kind, one column per tool; ✓ held, ✗ broken, — never fired, · cannot meet it."""
    marks = {(finding.cell.kind, finding.cell.tool): finding.mark for finding in findings}
    tools = [tool for tool in offered.tools if tool in CALLS]
    kinds = sorted({kind for kind, _ in marks})
    width = max((len(kind) for kind in kinds), default=0)
    yield " " * width + "  " + " ".join(tool[:6].ljust(6) for tool in tools)
    for kind in kinds:
        row = " ".join(marks.get((kind, tool), "·").ljust(6) for tool in tools)
        yield f"{kind:<{width}}  {row}".rstrip()
