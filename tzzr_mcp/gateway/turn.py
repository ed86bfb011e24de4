"""One turn: the loop of the seed's diagram.

The model is asked; it answers in words, or asks for tools, which are run, and it is asked again with their texts -
until it answers, or a limit is reached.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from tzzr_mcp.gateway.conversation import SYSTEM
from tzzr_mcp.gateway.events import ErrorEvent, Notice, NoticeEvent, Stopped, TextEvent
from tzzr_mcp.gateway.failures import INTERNAL, LimitReached, ModelAstray, Refused, Told
from tzzr_mcp.gateway.models import Delta, Ended, Model, ModelError, ToolRequest, Used
from tzzr_mcp.gateway.record import Record, size
from tzzr_mcp.gateway.results import Outcome
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.gateway.toolbox import Emit, Toolbox, Wanted

log = logging.getLogger(__name__)

REPEATS = 3
"""A model that asks for the same this many times in a turn goes round in circles."""


@dataclass
class Turn:
    """One question's way to its answer; ``emit`` takes the events."""

    model: Model
    tools: Toolbox
    limits: Limits
    record: Record
    emit: Emit
    _asked: Counter[str] = field(default_factory=Counter)
    _astray: set[str] = field(default_factory=set)
    _ids: set[str] = field(default_factory=set)
    _excused: bool = False

    async def run(self) -> None:
        """The whole turn. Whatever goes wrong is told by events; the last one is ``done``."""
        stopped = await self._stopped()
        await self.emit(self.record.done(stopped))

    async def _stopped(self) -> Stopped:
        try:
            async with asyncio.timeout(self.limits.timeout_s):
                await self._rounds()
        except TimeoutError:
            await self._fail(LimitReached("time", self.limits.timeout_s))
            return "limit"
        except LimitReached as limit:
            await self._fail(limit)
            return "limit"
        except (Refused, ModelError) as failure:
            await self._fail(failure)
            return "error"
        except Exception:
            log.exception("a turn failed")
            await self.emit(ErrorEvent(code="INTERNAL", message=INTERNAL, retryable=True))
            return "error"
        return "answer"

    async def _fail(self, failure: Told) -> None:
        await self.emit(ErrorEvent(code=failure.code, message=failure.message, retryable=failure.retryable))

    async def _rounds(self) -> None:
        while True:
            prose, requests = await self._answer()
            if not requests:
                break
            wanted = self._read(requests)
            try:
                self._check(wanted)
            except Refused:
                self.record.say(prose)
                raise
            self.record.say(prose, [each.asked for each in wanted])
            await self.tools.run(wanted, self.emit, self._told)
            if self.record.usage.total >= self.limits.tokens:
                raise LimitReached("tokens", self.limits.tokens)
        self.record.say(prose)
        if not (prose.strip() or self._excused):
            raise ModelError("MODEL_SILENT")

    async def _answer(self) -> tuple[str, Sequence[ToolRequest]]:
        """What the model says next, and what it asks for. Where it breaks off, what it has said is kept."""
        self.record.rounds += 1
        prose: list[str] = []
        requests: list[ToolRequest] = []
        try:
            await self._listen(prose, requests)
        except BaseException:
            self.record.say("".join(prose))
            raise
        return "".join(prose), requests

    async def _listen(self, prose: list[str], requests: list[ToolRequest]) -> None:
        used: Used | None = None
        exchanges = self.record.exchanges
        async with aclosing(self.model.stream(SYSTEM, exchanges, self.tools.catalogue.offers)) as outputs:
            async for output in outputs:
                if isinstance(output, Delta):
                    prose.append(output.text)
                    await self.emit(TextEvent(delta=output.text))
                elif isinstance(output, ToolRequest):
                    requests.append(output)
                elif isinstance(output, Used):
                    used = output
                else:
                    await self._ended(output)
        written = sum(map(len, prose)) + sum(len(request.arguments) for request in requests)
        self.record.count(used, size(exchanges), written)

    async def _ended(self, ended: Ended) -> None:
        self._excused = ended.reason != "stop"
        if ended.reason in _ENDS:
            await self.emit(NoticeEvent(notice=Notice(level="warning", text=_ENDS[ended.reason])))

    def _read(self, requests: Sequence[ToolRequest]) -> list[Wanted]:
        return [self.tools.read(request, self._unique(request.id)) for request in requests]

    def _unique(self, wished: str) -> str:
        """The model's own id of a call, unless it has used it before in this turn."""
        identity = wished = wished[:150] or "call"
        while identity in self._ids:
            identity = f"{wished}_{len(self._ids)}"
        self._ids.add(identity)
        return identity

    def _check(self, wanted: Sequence[Wanted]) -> None:
        """Refuse to go on where that would lead nowhere; what was asked for last is then left undone."""
        if self.record.rounds >= self.limits.rounds:
            raise LimitReached("rounds", self.limits.rounds)
        if self.record.tool_calls + len(wanted) > self.limits.tool_calls:
            raise LimitReached("tool_calls", self.limits.tool_calls)
        astray = {each.asked.name: each.title for each in wanted if each.astray}
        if again := self._astray & astray.keys():
            raise ModelAstray(astray[min(again)])
        self._astray |= astray.keys()
        self._asked.update({each.key for each in wanted})
        if self._asked and max(self._asked.values()) >= REPEATS:
            raise LimitReached("loop", REPEATS)

    def _told(self, call: str, outcome: Outcome) -> None:
        self.record.tell(call, outcome.text, ok=outcome.ok)


_ENDS = {
    "length": "La respuesta quedó cortada: el modelo alcanzó su límite de longitud. Pida que continúe.",
    "refused": "El modelo no quiere responder a esto.",
}
