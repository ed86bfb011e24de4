"""What the rules for GRACE ask through: every request is sent once, and its answer kept for the rules that look at it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tzzr_mcp.seams import Clock, Dice
from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.door import Delivery, Door, Line
from tzzr_scenarios.conform.grace.samples import Author, Json
from tzzr_scenarios.conform.rule import NotJudged

NOTHING = "(nothing)"
"""What stands for a member that is not there."""


@dataclass(frozen=True)
class Answer:
    """A request and what was answered, looked at without trust: whatever is not there is told as `NotJudged`."""

    asked: Json
    delivery: Delivery

    @property
    def request(self) -> str:
        """The request as a line for a shell."""
        return self.delivery.reply.request

    @property
    def module(self) -> str:
        """The module that was asked."""
        return str(self.asked.get("routing", {}).get("module", ""))

    @property
    def document(self) -> Json:
        """The response. Raises `NotJudged`: it is no object."""
        if not isinstance(self.delivery.output, dict):
            raise NotJudged(self.delivery.trouble or "the answer is no JSON object; see form.object")
        return self.delivery.output

    def at(self, *path: str) -> Any:
        """A member of the response, `NOTHING` when it is not there."""
        found: Any = self.document
        for name in path:
            found = found.get(name, NOTHING) if isinstance(found, dict) else NOTHING
        return found

    @property
    def result(self) -> Json:
        """The module's result. Raises `NotJudged`: there is none."""
        result = self.at("result")
        if not isinstance(result, dict):
            code = self.at("failure", "code")
            raise NotJudged(f"{self.module} gave no result, {code if code != NOTHING else 'and no failure'}")
        return result

    def given(self, name: str, kind: type | tuple[type, ...]) -> Any:
        """A member of the result, for rules that look into it. Raises `NotJudged`: it is not of that kind."""
        value = self.result.get(name, NOTHING)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise NotJudged(f"result.{name} of {self.module} is {value!r:.80}; see {_theme(self.module)}.form")
        return value


def _theme(module: str) -> str:
    return {"FIELD_EXTRACTOR": "fields", "OCR_CORE": "ocr", "ASR_ENGINE": "asr", "TTS_ENGINE": "tts",
            "IMAGE_CAPTION": "caption"}.get(module, module.lower().replace("_", "-"))  # fmt: skip


class Probe:
    """Asks one service; answers are kept, so that sixty rules need few requests."""

    def __init__(self, door: Door, line: Line, clock: Clock, dice: Dice) -> None:
        self.door, self.line, self.author = door, line, Author(clock, dice)
        self.last: Answer | Any | None = None
        self._kept: dict[str, Answer] = {}

    @property
    def ways(self) -> frozenset[str]:
        """``runpod`` or ``http``."""
        return frozenset({self.door.way})

    def begin(self) -> None:
        """Another rule begins."""
        self.last = None

    async def ask(self, asked: Mapping[str, Any], **envelope: Any) -> Answer:
        """The answer to what is asked, stamped; the same one when it was asked before with the same ``envelope``."""
        mark = json.dumps([asked, envelope], sort_keys=True)
        if mark not in self._kept:
            self._kept[mark] = await self.send(self.author.stamped(asked, **envelope))
        self.last = self._kept[mark]
        return self._kept[mark]

    async def send(self, document: Json) -> Answer:
        """The answer to a document as it is."""
        answer = Answer(document, await self.door.deliver(document))
        self.last = answer
        return answer

    async def good(self, module: str) -> Answer:
        """The answer to the request that stands for a module."""
        return await self.ask(samples.good(module))

    async def goods(self) -> Sequence[Answer]:
        """The answers of all modules."""
        return [await self.good(module) for module in samples.MODULES]

    async def refused(self) -> Sequence[Answer]:
        """Some answers that must be failures: two that no module ever sees, and one that a module refuses."""
        stranger = samples.text("NO_SUCH_MODULE")
        tomorrow = {**samples.text("CLASSIFIER"), "contract_version": "3.0"}
        broken = samples.text("SUMMARIZER", max_words=9)
        return [await self.ask(each) for each in (stranger, tomorrow, broken)]

    async def every(self) -> Sequence[Answer]:
        """Good answers and refusals, as far as they are objects. Raises `NotJudged`: none is."""
        answers = [*await self.goods(), *await self.refused()]
        objects = [answer for answer in answers if isinstance(answer.delivery.output, dict)]
        if not objects:
            raise NotJudged("no answer is a JSON object; see form.object")
        return objects
