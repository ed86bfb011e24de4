"""The base of faults in one GRACE module: what happens when it is about to run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tzzr_mcp.seams import Clock
from tzzr_mocks.control.fault import Fault
from tzzr_mocks.control.occasion import Point
from tzzr_mocks.faults.codes import ModuleFailure


@dataclass(frozen=True)
class ModuleFault(Fault):
    """A fault of one module. GRACE asks for these before it runs a module, and strikes with each."""

    point: ClassVar[Point] = Point.MODULE
    services: ClassVar[frozenset[str]] = frozenset({"grace"})

    @property
    def writing_s(self) -> float:
        """Seconds that a module which shows its text takes longer to write it; it is not struck otherwise then."""
        return 0.0

    async def strike(self, clock: Clock) -> ModuleFailure | None:
        """Wait as long as the fault takes, then say how the module fails; None lets it run after all."""
        return None
