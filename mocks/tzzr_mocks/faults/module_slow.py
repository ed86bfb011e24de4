"""A module that takes longer."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mcp.seams import Clock
from tzzr_mocks.faults.codes import ModuleFailure
from tzzr_mocks.faults.module_fault import ModuleFault


@dataclass(frozen=True)
class ModuleSlow(ModuleFault):
    """The module runs ``seconds`` longer than it would, and then answers as it should.

    A text that was asked for in parts is written over these seconds, piece by piece.

    Seen at providers under load.

    YAML: ``- grace: ASR_GROQ takes 40s``
    """

    kind = "module_slow"
    phrases = ("takes {seconds}", "is slow")
    seconds: float = 10.0

    @property
    def writing_s(self) -> float:
        """All of them."""
        return self.seconds

    async def strike(self, clock: Clock) -> ModuleFailure | None:
        """Wait."""
        await clock.sleep(self.seconds)
        return None
