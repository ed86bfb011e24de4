"""What can be wrong with a fault plan.

``PlanError`` is a rule that cannot be understood or could never act; it tells where, and what was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tzzr_mocks.control.names import listed, nearest

_SHOWN = 20
"""Names that a message lists."""


@dataclass
class PlanError(ValueError):
    """A rule was refused.

    ``text`` is the rule as it was written, ``column`` where in it the mistake stands (from 1) and ``length`` how many
    characters it covers; 0 where the rule was not given as text. ``suggestion`` is the nearest valid name, if any, and
    ``known`` are all of them where a name was wrong.
    """

    message: str
    text: str = ""
    column: int = 0
    length: int = 0
    suggestion: str | None = None
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.message}; did you mean {self.suggestion!r}?" if self.suggestion else self.message]
        if self.column:
            lines += [f"  {self.text}", f"  {' ' * (self.column - 1)}{'^' * max(1, self.length)}"]
        if self.known:
            more = f", … ({len(self.known)} in all)" if len(self.known) > _SHOWN else ""
            lines.append(f"  known: {listed(self.known[:_SHOWN])}{more}")
        return "\n".join(lines)


def unknown(what: str, name: str, allowed: Iterable[str]) -> PlanError:
    """``name`` is not one of the ``allowed``: says so, with the nearest and the whole list."""
    known = tuple(allowed)
    return PlanError(f"unknown {what} {name!r}", suggestion=nearest(name, known), known=known)


def unknown_route(service: str, route: str, labels: Iterable[str]) -> PlanError:
    """As `unknown`; ``route`` may leave its method out, and the nearest one is told as it was given.

    A path that a route's template stands for is told the template.
    """
    error = unknown(f"route of {service}", route, labels)
    known = sorted({label.partition(" ")[2] for label in error.known}) if route.startswith("/") else error.known
    template = next((label for label in known if _stands_for(label, route)), None)
    error.suggestion = template or nearest(route, known)
    return error


def _stands_for(label: str, route: str) -> bool:
    """Whether ``GET /items/{collection}`` is what ``GET /items/tags_hst`` is an instance of."""
    return re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(label)), route) is not None
