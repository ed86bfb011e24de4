"""A module that does not answer within its budget."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mcp.seams import Clock
from tzzr_mocks.faults.codes import ModuleFailure
from tzzr_mocks.faults.module_fault import ModuleFault


@dataclass(frozen=True)
class ModuleTimeout(ModuleFault):
    """The module fails with MODULE_TIMEOUT when its budget of ``seconds`` is over; a chain goes on.

    Seen when a provider hangs: GRACE gives up on it and says after how long (contract §2).

    YAML: ``- grace: OCR_OPENAI times out``
    """

    kind = "module_timeout"
    phrases = ("times out", "times out after {seconds}")
    seconds: float = 30.0

    async def strike(self, clock: Clock) -> ModuleFailure | None:
        """Wait for the budget, then fail."""
        await clock.sleep(self.seconds)
        return ModuleFailure.of("MODULE_TIMEOUT", "provider exceeded its budget", timeout_ms=round(self.seconds * 1000))
