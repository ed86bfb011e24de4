"""What all nine tools share: the question to GRACE, its progress, and the frame around the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from tzzr_mcp.contract.arguments import source_of
from tzzr_mcp.contract.catalogue import module_of
from tzzr_mcp.contract.translation import Document, translate
from tzzr_mcp.output import Chart, Link, Notice, Source, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.grace.clients import GraceClients
from tzzr_mcp.services.answers import Answer
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.sentences import hop_reason
from tzzr_mcp.services.spanish import delay, duration, shortened

MODULES_LINK: Final = Link("Módulos de GRACE", "tzzr://grace/modules", "application/json")

INVENTED: Final = (
    "Aviso: este contenido es inventado, porque no se pudo calcular sin conexión; sirve solo para pruebas y no procede "
    "de lo que se envió."
)


SHOWN: Final = 100_000
"""Characters of a text that go to the model; the data hold all of it."""


@dataclass(frozen=True)
class Body:
    """What one tool makes of an answer: the text's lines, the facts for its last line, and what is for the screen."""

    text: str
    facts: Sequence[str] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    notice: Notice | None = None
    links: Sequence[Link] = field(default=(MODULES_LINK,))


async def ask(tool: str, call: Call[GraceClients]) -> Answer:
    """GRACE's answer to one tool call.

    Raises:
        ContractError: whatever went wrong, with its Spanish sentence.
    """
    document = await _document(tool, call)
    request = translate(
        tool,
        call.arguments,
        trace_id=call.trace_id,
        timestamp=call.seams.clock.now(),
        document=document,
        stream=call.watched and call.clients.stream and module_of(tool).written is not None,
    )
    return await call.clients.asker.run(request, call.deadline, _listener(call))


def framed(call: Call[GraceClients], answer: Answer, body: Body) -> ToolOutput:
    """The tool's result: the body between what must be told first and where it comes from."""
    now = call.seams.clock.now()
    lines = [INVENTED] if answer.invented else []
    lines += [shortened(body.text, SHOWN), *_route(answer), " · ".join([*body.facts, *_origin(answer, now)])]
    return ToolOutput(
        text="\n".join(lines),
        data=answer.result,
        source=Source(f"GRACE/{answer.resolved}", "service", answer.kept_since or now, answer.simulated),
        tables=body.tables,
        charts=body.charts,
        links=body.links,
        notice=Notice("warning", INVENTED) if answer.invented else body.notice,
        meta={"attempts": list(answer.attempts), "invented": answer.invented, "cached": answer.kept_since is not None},
    )


async def _document(tool: str, call: Call[GraceClients]) -> Document | None:
    """The content of ``archivo``, read only when it is the one content that was given."""
    if source_of(tool, call.arguments) != "archivo":
        return None
    return await call.clients.files.read(call.arguments["archivo"], remote=call.remote)


_STATES: Final = {
    JobState.IN_QUEUE: "En cola en GRACE",
    JobState.IN_PROGRESS: "GRACE está trabajando",
    JobState.RUNNING: "GRACE está trabajando",
    JobState.COMPLETED: "GRACE terminó",
}


MOST_TOLD: Final = 2000
"""Characters of a text that one notice of progress carries; what is over goes with the next one."""


def _listener(call: Call[GraceClients]) -> Callable[[JobState, str], Awaitable[None]]:
    """Tells the client how far its call is; a text that is being written, piece by piece until all of it is there."""
    clock = call.seams.clock
    begun = clock.monotonic()
    untold = ""

    async def tell(state: JobState, text: str) -> None:
        nonlocal untold
        untold += text
        spent = clock.monotonic() - begun
        if untold and state is not JobState.COMPLETED:
            told, untold = untold[:MOST_TOLD], untold[MOST_TOLD:]
            await call.progress(f"GRACE escribe ({duration(spent)}): {told}", spent, None)
        else:
            await call.progress(f"{_STATES.get(state, 'Esperando a GRACE')} ({duration(spent)})", spent, None)

    return tell


def _route(answer: Answer) -> list[str]:
    """The way through the chain, when the first module of it did not answer."""
    if not answer.degraded:
        return []
    return [f"ruta: {' → '.join(_hop(attempt) for attempt in answer.attempts)} · respuesta degradada"]


def _hop(attempt: Any) -> str:
    spent = duration(attempt["duration_ms"] / 1000)
    if "error" in attempt:
        return f"{attempt['module']} ✗ {hop_reason(attempt['error'])} ({spent})"
    return f"{attempt['module']} ✓ ({spent})"


def _origin(answer: Answer, now: datetime) -> list[str]:
    simulated = " (simulado)" if answer.simulated else ""
    source = f"fuente: GRACE/{answer.resolved}{simulated}"
    if answer.kept_since is None:
        return [source, duration(answer.duration_ms / 1000)]
    return [source, f"guardada desde hace {delay((now - answer.kept_since).total_seconds())}"]
