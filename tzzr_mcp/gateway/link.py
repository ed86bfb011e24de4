"""One connection to the MCP server: opened when it is first needed, held by a task of its own, opened anew when lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import httpx2
from mcp import Client, MCPError
from mcp import types as t
from mcp.client.session import IncomingMessage
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost

from tzzr_mcp.gateway.connect import Connect
from tzzr_mcp.gateway.failures import ServerLost
from tzzr_mcp.seams import Clock

log = logging.getLogger(__name__)
T = TypeVar("T")

OPEN_S = 20.0
"""Seconds until a connection stands, or does not."""
CLOSE_S = 10.0
"""Seconds that a connection has to end."""
LISTEN_AGAIN_S = 30.0
"""Seconds after which a lost stream of notices is opened anew."""

_GONE = frozenset({t.CONNECTION_CLOSED})
_SDK_SAYS = frozenset({"Session terminated", "Server returned an error response"})
"""What the SDK makes of HTTP 404 and 5xx: errors with codes that servers use too, so that the words tell them apart."""
_BROKEN = (OSError, EOFError, httpx2.HTTPError, anyio.ClosedResourceError, anyio.BrokenResourceError)


class Link:
    """The connection. ``changed`` is called when the server says that its tools are not what they were.

    Any task may ask for the client and use it; one task, this link's own, opens and closes it, as the SDK demands.
    """

    def __init__(self, connect: Connect, changed: Callable[[], None], clock: Clock) -> None:
        self._connect, self._changed, self._clock = connect, changed, clock
        self._held: _Held | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def ask(self, request: Callable[[Client], Awaitable[T]], *, again: bool) -> T:
        """What the server answers. ``again``: a connection that turns out to be dead is opened anew, and it is asked twice.

        Raises:
            ServerLost: there is no connection, or it broke off.
            MCPError: the server refuses the request.
        """
        held = await self._open()
        held.users += 1
        try:
            return await request(held.client)
        except (MCPError, *_BROKEN) as error:
            if isinstance(error, MCPError) and not _is_gone(error):
                raise
            log.warning("the connection to the MCP server is lost: %s", error)
            self._drop(held)
            if not again:
                raise ServerLost from error
        finally:
            held.users -= 1
            held.let_go()
        return await self.ask(request, again=False)

    async def close(self) -> None:
        """End the connection; one that is still being opened, or does not end by itself, is cut off."""
        if (held := self._held) is not None:
            if not held.settled.is_set():
                held.task.cancel()
            self._drop(held)
            held.over.set()
        if self._ending:
            _, stuck = await asyncio.wait(self._ending, timeout=CLOSE_S)
            for task in stuck:
                task.cancel()

    async def _open(self) -> _Held:
        if self._held is None:
            self._held = _Held()
            task = asyncio.create_task(self._hold(self._held), name="gateway: connection to the MCP server")
            self._held.task = task
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
        held = self._held
        # Others may wait for the same connection: one who goes away must not take it along.
        await held.settled.wait()
        if held.failed:
            raise ServerLost
        return held

    def _drop(self, held: _Held) -> None:
        """Use this connection no more; it ends with its last user, whose answer may still come."""
        if self._held is held:
            self._held = None
        held.stale = True
        held.let_go()

    async def _hold(self, held: _Held) -> None:
        try:
            async with asyncio.timeout(OPEN_S) as patience, self._connect(self._heard) as client:
                patience.reschedule(None)
                held.client = client
                held.settled.set()
                await self._until_over(held)
        except (Exception, BaseExceptionGroup) as error:
            log.warning("the MCP server cannot be reached: %s", _leaf(error))
        finally:
            held.failed = held.failed or not held.settled.is_set()
            held.settled.set()
            self._drop(held)

    async def _until_over(self, held: _Held) -> None:
        listening = asyncio.create_task(self._listen(held.client), name="gateway: notices of the MCP server")
        try:
            await held.over.wait()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def _listen(self, client: Client) -> None:
        """Hear of changes of the catalogue.

        The older era needs no stream for it: there the handler hears all. A server that refuses one is not asked again:
        its catalogue lives for as long as it says.
        """
        while True:
            try:
                async with client.listen(tools_list_changed=True) as notices:
                    async for _ in notices:
                        self._changed()
            except ListenNotSupportedError:
                return
            except (MCPError, TimeoutError) as error:
                log.info("the MCP server gives no notices: %s", error)
                return
            except (SubscriptionLost, *_BROKEN) as error:
                log.info("the MCP server's stream of notices broke off: %s", error)
            # What changed while nobody listened was told to nobody.
            self._changed()
            await self._clock.sleep(LISTEN_AGAIN_S)

    async def _heard(self, message: IncomingMessage) -> None:
        if isinstance(message, t.ToolListChangedNotification):
            self._changed()


class _Held:
    """A connection that is being opened, is open, or is over. ``stale``: it ends when nobody uses it any more."""

    client: Client
    task: asyncio.Task[None]

    def __init__(self) -> None:
        self.settled = asyncio.Event()
        self.over = asyncio.Event()
        self.failed = self.stale = False
        self.users = 0

    def let_go(self) -> None:
        """End the connection if it is stale and its last user has left."""
        if self.stale and not self.users:
            self.over.set()


def _is_gone(error: MCPError) -> bool:
    return error.error.code in _GONE or error.error.message in _SDK_SAYS


def _leaf(error: BaseException) -> Any:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
