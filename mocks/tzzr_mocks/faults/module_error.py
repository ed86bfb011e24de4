"""A module that fails with a code of the contract."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mcp.seams import Clock
from tzzr_mocks.faults.codes import GraceCode, ModuleFailure
from tzzr_mocks.faults.module_fault import ModuleFault


@dataclass(frozen=True)
class ModuleError(ModuleFault):
    """The module fails with ``code`` after ``seconds``, with the details that the contract demands of that code.

    Seen for every code of contract §2. A chain goes on after a retryable code or LOW_CONFIDENCE, else it ends.

    YAML: ``- grace: OCR_GROQ fails with RATE_LIMITED``
    """

    kind = "module_error"
    phrases = ("fails with {code}", "fails")
    code: GraceCode = "INTERNAL"
    message: str = "planned failure"
    seconds: float = 0.0

    async def strike(self, clock: Clock) -> ModuleFailure | None:
        """Fail."""
        await clock.sleep(self.seconds)
        return ModuleFailure.of(self.code, self.message)
