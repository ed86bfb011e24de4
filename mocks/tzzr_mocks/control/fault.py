"""The base of every fault, and the register of their kinds.

How to write one more: make one file with one frozen dataclass that derives from `Fault` (or from `ReplyFault`, or
from `tzzr_mocks.faults.wire_fault.WireFault`), and import it from its folder's ``__init__``.

* ``kind`` is its name in plans, unique over all fakes; ``point`` where it acts; ``services`` which fakes ask for it
  (empty: all). ``phrases`` are ways to say it in the short form, each word as written or a field in braces, in the
  singular: ``"fails with {status}"``.
* The dataclass fields are its attributes. Give each a default where one makes sense, so that the bare kind is a legal
  short form; check them in ``__post_init__`` and raise ValueError with a message that tells the mend.
* The docstring is its page: what it does, who saw it happen, one line of YAML.

A fault may not be random but by the dice it is given. The fake that owns the point asks ``control.plan.fired(Occasion(Point.JOB, "grace", module=…))`` and acts on each
fault that it gets back. Reply faults and wire faults need no such call: middleware and network do it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tzzr_mcp.seams import Dice, Seams
from tzzr_mocks.control.asgi import ASGIApp, RawHeaders
from tzzr_mocks.control.errors import unknown
from tzzr_mocks.control.occasion import Occasion, Point

KINDS: dict[str, type[Fault]] = {}
"""Every fault kind that has been imported, by name."""


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong. Subclasses register themselves by being defined.

    Raises:
        TypeError: at class creation, when two faults claim one kind.
    """

    kind: ClassVar[str] = ""
    point: ClassVar[Point]
    services: ClassVar[frozenset[str]] = frozenset()
    phrases: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" not in cls.__dict__:
            return
        if cls.kind in KINDS:
            raise TypeError(f"two faults are called {cls.kind!r}: {KINDS[cls.kind].__module__} and {cls.__module__}")
        KINDS[cls.kind] = cls

    def as_json(self) -> dict[str, Any]:
        """Kind and attributes as plain JSON values: the ``effect`` of a rule's long form."""
        return {"kind": self.kind, **dataclasses.asdict(self)}

    def sentence(self) -> str:
        """Kind and attributes on one line, only those that differ from their defaults."""
        changed = [
            f"{field.name}={getattr(self, field.name)}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        ]
        return " ".join([self.kind, *changed])


def _plain_error(status: int) -> Any:
    return {"error": f"status {status}"}


@dataclass(frozen=True)
class Answer:
    """A whole reply, as ASGI has it."""

    status: int
    headers: RawHeaders
    body: bytes


@dataclass(frozen=True)
class Scene:
    """What a reply fault may look at and use.

    The occasion, the world's clock and trace, the rule's own dice, the upstream's error envelope by HTTP status, and
    the last reply of the same route that no fault had touched, if there was one.
    """

    occasion: Occasion
    seams: Seams
    dice: Dice
    error_body: Callable[[int], Any] = _plain_error
    previous: Answer | None = None


@dataclass(frozen=True)
class ReplyFault(Fault):
    """A fault on the HTTP reply: ASGI middleware around the fake, for one request."""

    point: ClassVar[Point] = Point.REPLY

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """The fake's application with this fault around it. The default changes nothing."""
        return app


def kinds_at(service: str) -> Mapping[str, type[Fault]]:
    """The fault kinds that a service's fake asks for, by name."""
    return {name: kind for name, kind in KINDS.items() if not kind.services or service in kind.services}


def kind_named(name: str, service: str) -> type[Fault]:
    """The fault kind called ``name``.

    Raises:
        PlanError: there is none, or the service's fake never asks for it.
    """
    known = kinds_at(service)
    if name not in known:
        raise unknown(f"fault kind for {service}", name, sorted(known))
    return known[name]
