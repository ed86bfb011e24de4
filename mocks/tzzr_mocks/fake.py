"""What every fake is to the world that it is part of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from tzzr_mocks.control import Control
from tzzr_mocks.control.asgi import ASGIApp


class Fake(Protocol):
    """A service that works, with state, under the control plane. It knows nothing of hosts and ports."""

    @property
    def control(self) -> Control:
        """Its part of plan, journal, clock, dice and trace."""
        ...

    @property
    def app(self) -> ASGIApp:
        """The application, with the control plane around it."""
        ...

    @property
    def environment(self) -> Mapping[str, str]:
        """The keys and tokens that it takes, by the variable that a client reads them from."""
        ...

    def openapi(self) -> Mapping[str, Any]:
        """What it answers while no fault is planned, as an OpenAPI document."""
        ...

    async def start(self) -> None:
        """Begin what runs in the background."""
        ...

    async def stop(self) -> None:
        """Cancel what runs in the background, and wait until it has ended."""
        ...

    def reset(self) -> None:
        """Go back to the starting world."""
        ...


@runtime_checkable
class Keeps(Protocol):
    """The optional power of a fake to keep its state and go back to it."""

    def snapshot(self) -> Any:
        """The whole state."""
        ...

    def restore(self, state: Any) -> None:
        """Go back to a snapshot."""
        ...
