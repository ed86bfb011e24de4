"""The way from a client to the fakes of a world: direct, or over the wire while the plan has wire faults."""

from __future__ import annotations

from collections.abc import Mapping

import httpx

from tzzr_mocks.control.asgi import ASGIApp
from tzzr_mocks.control.occasion import Point
from tzzr_mocks.control.plan import FaultPlan
from tzzr_mocks.desk import is_control
from tzzr_mocks.fake import Fake
from tzzr_mocks.faults.wire_fault import script_of
from tzzr_mocks.network.direct import DirectTransport
from tzzr_mocks.network.hosts import HostsTransport
from tzzr_mocks.network.wire import Fate, WireTransport


class WorldTransport(httpx.AsyncBaseTransport):
    """An httpx transport to every fake of a world.

    Several clients share it, so that closing one of them must not disturb the others: the world closes it. Below
    ``/__tzzr/`` each fake's host shows ``control``, which no fault strikes and no journal enters.
    """

    def __init__(self, fakes: Mapping[str, Fake], hosts: Mapping[str, str], plan: FaultPlan, control: ASGIApp) -> None:
        self._plan, self._hosts = plan, hosts
        self._control = DirectTransport(control)
        self._fakes = {hosts[name]: fake for name, fake in fakes.items()}
        self._direct = HostsTransport({host: DirectTransport(fake.app) for host, fake in self._fakes.items()})
        self._wire: WireTransport | None = None

    async def lead_to(self, fakes: Mapping[str, Fake]) -> None:
        """Reach these fakes from now on; what is under way to those of before, breaks off."""
        self._fakes = {self._hosts[name]: fake for name, fake in fakes.items()}
        old, self._wire = self._wire, None
        for host, fake in self._fakes.items():
            await self._direct.replace(host, DirectTransport(fake.app))
        if old is not None:
            await old.aclose()

    def receive(self, host: str, app: ASGIApp) -> None:
        """Let a guest's application be reached under ``host``, such as the receiver of webhooks of a test."""
        self._direct.add(host, DirectTransport(app))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request to the fake of its host.

        Raises:
            httpx.TransportError: as a real network would.
        """
        to_a_fake = request.url.host in self._fakes
        if to_a_fake and is_control(request.url.path):
            request.extensions = {**request.extensions, "timeout": {}}  # an hour of the world's may pass meanwhile
            return await self._control.handle_async_request(request)
        if to_a_fake and self._plan.has(Point.WIRE):
            return await self._over_the_wire().handle_async_request(request)
        return await self._direct.handle_async_request(request)

    def _over_the_wire(self) -> WireTransport:
        if self._wire is None:
            self._wire = WireTransport({host: fake.app for host, fake in self._fakes.items()}, self._fate)
        return self._wire

    def _fate(self, request: httpx.Request, body: bytes) -> Fate | None:
        """What the plan's wire faults do to one request; None: nothing."""
        fake = self._fakes.get(request.url.host)
        if fake is None:
            return None
        scope = {"method": request.method, "path": request.url.path, "headers": request.headers.raw}
        occasion = fake.control.occasion(scope, body, Point.WIRE)
        rules = self._plan.firing(occasion)
        script = script_of(rule.fault for rule in rules)
        return Fate(script, tuple(rule.sentence() for rule in rules)) if script else None

    async def aclose(self) -> None:
        """Nothing: one client has ended, the world has not."""

    async def close(self) -> None:
        """The world has ended."""
        await self._direct.aclose()
        await self._control.aclose()
        if self._wire is not None:
            await self._wire.aclose()
