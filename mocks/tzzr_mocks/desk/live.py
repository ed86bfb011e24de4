"""What the control plane needs of worlds, so that it knows none of those who make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from tzzr_mcp.seams import Seams, Trace
from tzzr_mocks.control import FaultPlan, Journal
from tzzr_mocks.control.errors import PlanError, unknown
from tzzr_mocks.fake import Fake
from tzzr_mocks.grace import GraceFake
from tzzr_mocks.llm import LlmFake
from tzzr_mocks.network.steered import SteeredClock

DEFAULT = "default"
"""The world of every request that names none."""


class UnknownWorld(LookupError):
    """There is no world of that name; the message tells the nearest."""


class NotThere(PlanError):
    """A path names what is not there: a rule, an exchange, a snapshot, a service."""


class NotNow(PlanError):
    """The world is of a kind that cannot do what is asked."""


def there(what: str, name: str, known: Iterable[str]) -> None:
    """Look whether a thing that a path names is there.

    Raises:
        NotThere: it is not; tells the nearest.
    """
    if name not in (names := list(known)):
        error = unknown(what, name, names)
        raise NotThere(error.message, suggestion=error.suggestion, known=error.known)


class Live(Protocol):
    """One world that is alive (`tzzr_mocks.world.World`)."""

    seed: int
    starting: str
    seams: Seams
    plan: FaultPlan
    journal: Journal
    trace: Trace

    @property
    def fakes(self) -> Mapping[str, Fake]:
        """Its services by name, each of which describes itself."""
        ...

    @property
    def grace(self) -> GraceFake:
        """Its GRACE, whose jobs are shown."""
        ...

    @property
    def llm(self) -> LlmFake:
        """Its language model, whose script is told and changed."""
        ...

    @property
    def steering(self) -> SteeredClock | None:
        """Its clock in real time; None on virtual time."""
        ...

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        ...

    def reset(self) -> None:
        """Back to the starting world."""
        ...

    async def renew(self, seed: int, starting: str = "default") -> None:
        """The same with another seed and starting world."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """Its state."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        ...


class Worlds(Protocol):
    """The worlds that one control plane is about."""

    @property
    def names(self) -> list[str]:
        """Every world, oldest first."""
        ...

    def named(self, name: str) -> Live:
        """The world called ``name``. Raises `UnknownWorld`."""
        ...

    async def create(
        self, name: str, seed: int = 7, starting: str = "default", faults: Sequence[str | Mapping[str, Any]] = ()
    ) -> Live:
        """Make a world, or make it anew. Raises PlanError."""
        ...

    async def drop(self, name: str) -> None:
        """Stop and forget a world. Raises `UnknownWorld` or PlanError."""
        ...

    def environment(self, name: str) -> dict[str, str]:
        """What a server needs to reach one world."""
        ...
