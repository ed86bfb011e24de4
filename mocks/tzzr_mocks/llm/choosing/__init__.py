"""How the model chooses without a script."""

from __future__ import annotations

from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Reply

__all__ = ["choose"]


def choose(prompt: Prompt) -> Reply:
    """Placeholder."""
    return Reply("Soy un modelo simulado.")
