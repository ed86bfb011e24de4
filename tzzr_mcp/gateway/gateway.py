"""The gateway as one object: a model, a way to the server, limits. It keeps nothing of any conversation."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Sequence
from types import TracebackType
from typing import Self, TypeVar

from tzzr_mcp.gateway import open_data
from tzzr_mcp.gateway.catalogue import Catalogue, Catalogues
from tzzr_mcp.gateway.connect import Connect
from tzzr_mcp.gateway.conversation import exchanges
from tzzr_mcp.gateway.events import ErrorEvent, Event, Message, Notice, NoticeEvent
from tzzr_mcp.gateway.failures import INTERNAL, Busy, LimitReached, Refused, Stopping
from tzzr_mcp.gateway.models import Exchange, Model, Question
from tzzr_mcp.gateway.open_data import Content, Resource
from tzzr_mcp.gateway.record import Record
from tzzr_mcp.gateway.settings import Limits
from tzzr_mcp.gateway.toolbox import Toolbox
from tzzr_mcp.gateway.turn import Turn
from tzzr_mcp.seams import Clock, Seams

log = logging.getLogger(__name__)
T = TypeVar("T")

AHEAD = 64
"""Events that may wait for a slow reader; the turn then waits for it."""


class Gateway:
    """Answers questions. An async context: the tools are fetched when it is entered, the connection ends with it.

    Any number of turns may run at a time, ``limits.turns`` at most; any number of gateways may share a conversation, which
    travels with each question.
    """

    def __init__(self, limits: Limits, connect: Connect, model: Model, seams: Seams) -> None:
        self._limits, self._model, self._seams = limits, model, seams
        self._catalogues = Catalogues(connect, seams.clock)
        self._link = self._catalogues.link
        self._running: set[asyncio.Task[None]] = set()
        self._fetching: asyncio.Task[Catalogue] | None = None
        self._stopping = False

    async def __aenter__(self) -> Self:
        """Begin to fetch the catalogue: it is there before the first question, if the server is (seed 1)."""
        self._stopping = False
        self._fetching = asyncio.create_task(self._catalogues.current(), name="gateway: first tools/list")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel what is under way, and close the connection."""
        await self.stop()
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)
        await self._link.close()

    async def stop(self, patience_s: float = 0.0) -> None:
        """Admit no further question, let answers under way finish for ``patience_s`` seconds, and cancel the others.

        Their readers are told: the last events are an ``error`` and ``done``.
        """
        self._stopping = True
        if self._running and patience_s > 0:
            await asyncio.wait(self._running, timeout=patience_s)
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    @property
    def clock(self) -> Clock:
        """What it tells the time by."""
        return self._seams.clock

    async def tools(self) -> Catalogue:
        """The tools as they are now.

        Raises:
            ServerLost: the server cannot be reached.
        """
        return await self._catalogues.current()

    async def resources(self) -> list[Resource]:
        """What the server offers to read: its resources, then its templates.

        Raises:
            ServerLost: the server cannot be reached.
        """
        return await self._patiently(open_data.listed(self._link))

    async def read(self, uri: str) -> Content:
        """One resource.

        Raises:
            NotThere: the server does not have it.
            ServerLost: the server cannot be reached.
        """
        return await self._patiently(open_data.read(self._link, uri))

    async def _patiently(self, asking: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                return await asking
        except TimeoutError:
            raise LimitReached("time", self._limits.timeout_s) from None

    def turn(self, messages: Sequence[Message]) -> AsyncGenerator[Event, None]:
        """The answer to the last of ``messages``, event by event; the last event is ``done``.

        Closing the iterator cancels the request to the model and the calls to the server.

        Raises:
            Misread: the messages are no conversation.
            Busy: too many turns are under way.
            Stopping: the gateway is being closed.
        """
        if self._stopping:
            raise Stopping
        conversation = exchanges(messages)
        if len(self._running) >= self._limits.turns:
            raise Busy(self._limits.turns)
        return self._events(conversation)

    async def _events(self, conversation: Sequence[Exchange]) -> AsyncGenerator[Event, None]:
        # The turn runs in a task of its own, for its scopes and time-outs may not be left and entered between events.
        waiting: asyncio.Queue[Event | None] = asyncio.Queue(AHEAD)
        record = Record(conversation)
        task = asyncio.create_task(self._run(record, waiting), name="gateway: turn")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            while (event := await waiting.get()) is not None:
                yield event
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _run(self, record: Record, waiting: asyncio.Queue[Event | None]) -> None:
        try:
            await self._turn(record, waiting)
        except asyncio.CancelledError:
            # Either nobody reads any more, or the gateway is being closed: then the reader is told at once.
            while not waiting.empty():
                waiting.get_nowait()
            for event in (_told(Stopping()), record.done("cancelled"), None):
                waiting.put_nowait(event)
            raise
        except Exception:
            log.exception("a turn failed")
            await waiting.put(ErrorEvent(code="INTERNAL", message=INTERNAL, retryable=True))
            await waiting.put(record.done("error"))
        await waiting.put(None)

    async def _turn(self, record: Record, waiting: asyncio.Queue[Event | None]) -> None:
        try:
            catalogue = await self._catalogues.current()
        except Refused as refused:
            await waiting.put(_told(refused))
            await waiting.put(record.done("error"))
        else:
            if _is_first(record.before) and catalogue.refused:
                await waiting.put(_left_out(catalogue))
            toolbox = Toolbox(catalogue, self._link, self._seams.clock, self._limits.tool_text)
            await Turn(self._model, toolbox, self._limits, record, waiting.put).run()


def _told(refused: Refused) -> ErrorEvent:
    return ErrorEvent(code=refused.code, message=refused.message, retryable=refused.retryable)


def _is_first(conversation: Sequence[Exchange]) -> bool:
    return sum(isinstance(exchange, Question) for exchange in conversation) == 1


def _left_out(catalogue: Catalogue) -> NoticeEvent:
    names = ", ".join(f"«{tool.title}»" for tool in catalogue.refused)
    text = f"No se usan estas herramientas porque no declaran de dónde proceden sus datos: {names}."
    return NoticeEvent(notice=Notice(level="warning", text=text))
