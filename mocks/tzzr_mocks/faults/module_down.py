"""A provider that is down."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mcp.seams import Clock
from tzzr_mocks.faults.codes import ModuleFailure
from tzzr_mocks.faults.module_fault import ModuleFault


@dataclass(frozen=True)
class ModuleDown(ModuleFault):
    """The module fails with MODULE_UNAVAILABLE after ``seconds``; a chain goes on to its next module.

    Seen when a provider is down, cold or out of quota (contract §2).

    YAML: ``- grace: OCR_LOCAL is down``
    """

    kind = "module_down"
    phrases = ("is down", "down", "is unavailable")
    seconds: float = 0.0

    async def strike(self, clock: Clock) -> ModuleFailure | None:
        """Fail."""
        await clock.sleep(self.seconds)
        return ModuleFailure.of("MODULE_UNAVAILABLE", "provider unavailable")
