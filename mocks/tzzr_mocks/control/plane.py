"""What every fake holds on to: its part of the world's plan, journal, clock, dice and trace."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from tzzr_mcp.seams import Seams
from tzzr_mocks.control.asgi import ASGIApp, Scope
from tzzr_mocks.control.exchange import Exchange
from tzzr_mocks.control.journal import Journal
from tzzr_mocks.control.middleware import ControlMiddleware
from tzzr_mocks.control.occasion import Occasion, Point
from tzzr_mocks.control.plan import FaultPlan
from tzzr_mocks.control.surface import Surface

ATTEMPTS_KEPT = 10_000
"""Traces whose attempts are counted; the longest quiet ones are forgotten."""


class Control:
    """The control plane of one fake. ``plan`` and ``journal`` are the world's; alone, a fake has its own."""

    def __init__(
        self, service: str, seams: Seams | None = None, plan: FaultPlan | None = None, journal: Journal | None = None
    ) -> None:
        self.service = service
        self.seams = seams or Seams()
        self.plan = FaultPlan(self.seams) if plan is None else plan
        self.journal = Journal() if journal is None else journal
        self.surface = Surface()
        self.plan.know(service, self.surface)
        self._attempts: OrderedDict[tuple[str | None, ...], int] = OrderedDict()
        self._layer: ControlMiddleware | None = None

    def wrap(self, app: ASGIApp, surface: Surface | None = None) -> ASGIApp:
        """The fake's application with journal, reply faults and the mark ``X-TZZR-Fake`` around it.

        Without a ``surface`` the routes of the application are taken.
        """
        self.surface = surface or (Surface.of(app) if hasattr(app, "routes") else Surface())
        self.plan.know(self.service, self.surface)
        self._layer = ControlMiddleware(app, self)
        return self._layer

    def occasion(self, scope: Scope, body: bytes, point: Point = Point.REPLY) -> Occasion:
        """The occasion that an HTTP request is at ``point``, counted as one more attempt there."""
        occasion = self.surface.occasion(point, self.service, scope, body)
        what = (point, occasion.trace_id, occasion.route, occasion.module)
        attempt = self._attempts.pop(what, 0) + 1
        self._attempts[what] = attempt
        if len(self._attempts) > ATTEMPTS_KEPT:
            self._attempts.popitem(last=False)
        return occasion._replace(attempt=attempt)

    def saw(self, route: str | None = None, *, times: int | None = None, **attributes: Any) -> list[Exchange]:
        """The exchanges that this fake had, as `Journal.saw`."""
        return self.journal.saw(route, times=times, service=self.service, **attributes)

    def forget(self) -> None:
        """Forget the attempts counted so far, and the replies that a fault could repeat."""
        self.restore({"attempts": {}, "replies": {}})

    def snapshot(self) -> dict[str, Any]:
        """The attempts counted so far, and the last whole reply of each route, for `restore`."""
        return {"attempts": dict(self._attempts), "replies": dict(self._layer.previous) if self._layer else {}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        self._attempts = OrderedDict(state["attempts"])
        if self._layer is not None:
            self._layer.previous = dict(state["replies"])
