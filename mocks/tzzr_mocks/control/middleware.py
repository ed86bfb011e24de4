"""The layer around every fake: enters each exchange in the journal, lets reply faults act, marks replies as faked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tzzr_mcp.seams import Seams
from tzzr_mocks.control.asgi import ASGIApp, Message, Receive, Scope, Send, read_body, replay
from tzzr_mocks.control.fault import Answer, Fault, ReplyFault, Scene
from tzzr_mocks.control.journal import Journal
from tzzr_mocks.control.occasion import Occasion, Point
from tzzr_mocks.control.plan import FaultPlan
from tzzr_mocks.control.rule import FaultRule
from tzzr_mocks.control.surface import Surface

FAKE_HEADER = b"x-tzzr-fake"
STRIKE = "tzzr.strike"
"""Where in a scope a server on sockets puts what lets faults act on the request's connection."""
BLAMED = "tzzr.faults"
"""Where in a scope's state a network in process puts the sentences of the faults that it acts out on the connection."""
Strike = Callable[[Sequence[Fault]], None]


class Plane(Protocol):
    """What the middleware needs of a fake's control plane (`tzzr_mocks.control.plane.Control`)."""

    seams: Seams
    plan: FaultPlan
    journal: Journal
    surface: Surface

    def occasion(self, scope: Scope, body: bytes) -> Occasion:
        """The occasion that a request is."""
        ...


class Recorder:
    """A ``send`` that marks the reply, passes it on and keeps it for the journal."""

    def __init__(self, send: Send, service: str) -> None:
        self._send, self._service = send, service.encode()
        self.start: dict[str, Any] | None = None
        self.body = bytearray()
        self.complete = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (FAKE_HEADER, self._service)]}
            self.start = dict(message)
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")
            self.complete = not message.get("more_body", False)
        await self._send(message)


class ControlMiddleware:
    """One fake's application with journal and faults around it.

    ``previous`` holds the last whole reply of each route that no fault had touched.
    """

    def __init__(self, app: ASGIApp, control: Plane) -> None:
        self.app, self.control = app, control
        self.previous: dict[str | None, Answer] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        control = self.control
        body = await read_body(receive)
        occasion = control.occasion(scope, body)
        rules = [*self._on_the_wire(scope, occasion), *control.plan.firing(occasion)]
        began = control.plan.stopwatch.elapsed()
        blamed = [*scope.get("state", {}).get(BLAMED, ()), *(rule.sentence() for rule in rules)]
        entry = control.journal.begin(scope, occasion, began, blamed)
        recorder = Recorder(send, occasion.service)
        app = self._around(rules, occasion) if rules else self.app
        try:
            await app(scope, replay(body, receive), recorder)
        finally:
            duration, content = control.plan.stopwatch.elapsed() - began, bytes(recorder.body)
            control.journal.finish(entry, recorder.start, content, recorder.complete, duration)
            self._trace(entry.number, occasion, recorder)
            if not rules and recorder.complete and recorder.start is not None:
                start = recorder.start
                self.previous[occasion.route] = Answer(start["status"], start["headers"], content)

    def _on_the_wire(self, scope: Scope, occasion: Occasion) -> list[FaultRule]:
        """Over a real socket the server itself strikes with the wire faults; in process the network has done so."""
        strike: Strike | None = scope.get(STRIKE)
        if strike is None or not self.control.plan.has(Point.WIRE):
            return []
        rules = self.control.plan.firing(occasion._replace(point=Point.WIRE))
        strike([rule.fault for rule in rules])
        return rules

    def _around(self, rules: list[FaultRule], occasion: Occasion) -> ASGIApp:
        app = self.app
        control = self.control
        for rule in reversed(rules):
            if isinstance(rule.fault, ReplyFault):
                dice, previous = control.plan.dice_of(rule.id), self.previous.get(occasion.route)
                error_body = control.surface.error_body_for(occasion)
                scene = Scene(occasion, control.seams, dice, error_body, previous)
                app = rule.fault.wrap(app, scene)
        return app

    def _trace(self, number: int, occasion: Occasion, recorder: Recorder) -> None:
        status = recorder.start["status"] if recorder.start else None
        details = {
            "route": occasion.route,
            "path": occasion.path,
            "module": occasion.module,
            "trace_id": occasion.trace_id,
        }
        known = {name: value for name, value in details.items() if value is not None}
        self.control.seams.trace.record(
            occasion.service, "exchange", number=number, status=status, complete=recorder.complete, **known
        )
