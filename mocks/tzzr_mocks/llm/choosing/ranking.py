"""Which tools of a catalogue an instruction asks for."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from tzzr_mocks.llm.choosing.stems import stems, words
from tzzr_mocks.llm.prompt import Tool

_SENTENCE = re.compile(r"(?<=[.;])\s+")
NAME, _FIRST, _REST, _ARGUMENT = 4.0, 2.0, 1.0, 0.5
"""What a word counts for, by where a tool has it."""
ENOUGH = 3.0
"""What a tool must reach to be chosen: one telling word of its name or of its first sentence."""
_NEAR = 0.7
"""Down to which part of the best score a tool is near it."""


class Catalogue:
    """The tools of a request, by the words that they are described with; rare words count for more."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._weights = {tool.name: _weights(tool, tools) for tool in tools}
        self.tools = tools
        spread = Counter(
            stem for weights in self._weights.values() for stem, weight in weights.items() if weight > _ARGUMENT
        )
        self._rarity = {stem: math.log2(1 + len(tools) / count) for stem, count in spread.items()}

    def words_of(self, tool: Tool) -> Mapping[str, float]:
        """The stems that a tool is described with, and what each counts for."""
        return self._weights[tool.name]

    def near(self, instruction: str) -> list[Tool]:
        """The tools that fit an instruction about as well as the best one does, the best first; none if none fits."""
        asked = stems(instruction)
        ranked = sorted(((self._score(tool, asked), -place) for place, tool in enumerate(self.tools)), reverse=True)
        least = max(ENOUGH, _NEAR * ranked[0][0]) if ranked else 0.0
        return [self.tools[-place] for score, place in ranked if score >= least]

    def _score(self, tool: Tool, asked: frozenset[str]) -> float:
        weights = self._weights[tool.name]
        common = asked & weights.keys()
        telling = sum(weights[stem] for stem in common if weights[stem] >= _REST)
        if telling < _FIRST:
            return 0.0
        return sum(weights[stem] * self._rarity.get(stem, 1.0) for stem in common)


def _weights(tool: Tool, tools: Sequence[Tool]) -> dict[str, float]:
    """Each stem that stands in the tool, with its weight where it counts for most.

    Sentences that name another tool are left out: they tell when not to use this one.
    """
    others = [other.name for other in tools if other.name != tool.name]
    sentences = [one for one in _SENTENCE.split(tool.description) if not any(name in one for name in others)]
    weighed: dict[str, float] = {}
    arguments = " ".join(
        f"{name} {one.get('title', '')} {one.get('description', '')}" for name, one in tool.properties.items()
    )
    for text, weight in (
        (arguments, _ARGUMENT),
        (" ".join(sentences[1:]), _REST),
        (" ".join(sentences[:1]), _FIRST),
        (" ".join(words(tool.name.replace("_", " "))), NAME),
    ):
        weighed.update(dict.fromkeys(stems(text), weight))
    return weighed
