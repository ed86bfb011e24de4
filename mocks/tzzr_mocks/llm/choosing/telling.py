"""What the model says in words, in Spanish: always out of what the tools' texts say, and that it is a fake."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tzzr_mocks.llm.choosing.filling import Filled
from tzzr_mocks.llm.prompt import Prompt, Tool

FAKE: Final = (
    "Soy un modelo simulado: elijo herramientas por las palabras de su pregunta y cuento lo que responden, sin razonar."
)
"""So that nobody takes its words for a real model's."""
_LONGEST: Final = 1200
"""Characters of a tool's text that are told."""
_SHOWN: Final = 8


def told(prompt: Prompt) -> str:
    """The answer after the last round of tools."""
    pairs = [pair for one in prompt.rounds for pair in one.pairs()]
    if len(pairs) == 1:
        asked, result = pairs[0]
        return "\n\n".join([f"Esto responde «{asked.name}»:", _shortened(result.text), FAKE])
    parts = [f"«{asked.name}» responde:\n{_shortened(result.text)}" for asked, result in pairs]
    return "\n\n".join([f"He consultado {len(pairs)} herramientas.", *parts, FAKE])


def _shortened(text: str) -> str:
    plain = text.strip() or "(sin texto)"
    if len(plain) <= _LONGEST:
        return plain
    end = max((found.end() for found in re.finditer(r"[.\n](?=\s)", plain[:_LONGEST])), default=_LONGEST)
    return f"{plain[:end].rstrip()} […]"


def asking(lacking: Sequence[Filled]) -> str:
    """What the person has to add, before the tools that were meant can be asked."""
    lines = [
        f"Para usar «{one.tool.name}» me falta: {', '.join(each.about for each in one.missing)}." for one in lacking
    ]
    return "\n".join([*lines, "Añádalo a su pregunta, por favor.", "", FAKE])


def helpless(tools: Sequence[Tool]) -> str:
    """What is said when no tool fits."""
    if not tools:
        return f"No tengo herramientas con las que responder.\n\n{FAKE}"
    shown = [f"- {tool.name}: {tool.description.partition('. ')[0].rstrip('.')}." for tool in tools[:_SHOWN]]
    more = [f"- y {len(tools) - _SHOWN} más."] if len(tools) > _SHOWN else []
    heading = "Ninguna herramienta del catálogo encaja con su pregunta. Puede pedirme, por ejemplo:"
    return "\n".join([heading, *shown, *more, "", FAKE])
