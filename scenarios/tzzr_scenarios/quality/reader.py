"""Who reads: this package's engines in this process, or any S-CONTRACT service through a door."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from tzzr_mocks.grace.engines import EngineError, Work, engine_for
from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.door import AT_PLAIN, AT_RUNPOD, Door, held_open
from tzzr_scenarios.conform.grace.samples import Author

__all__ = ["EngineReader", "Reader", "ServiceReader"]

Json = dict[str, Any]


class Reader(Protocol):
    """Gives a module a text; whoever gives no result adds the reason to ``troubles``."""

    troubles: list[str]

    async def read(self, module: str, text: str, params: Json) -> Json:
        """The module's result (contract §4), empty when there is none."""
        ...


@dataclass
class EngineReader:
    """The engines of GRACE's fake."""

    troubles: list[str] = field(default_factory=list)

    async def read(self, module: str, text: str, params: Json) -> Json:
        """The engine's result."""
        try:
            return engine_for(module)(Work(module, content=text, params=params)).result
        except EngineError as error:
            self.troubles.append(f"{module}: {error}")
            return {}


@dataclass
class ServiceReader:
    """A service; requests are lenient, so that an answer of which it is not sure comes too."""

    base: str
    door: Door
    author: Author
    troubles: list[str] = field(default_factory=list)

    async def read(self, module: str, text: str, params: Json) -> Json:
        """The result in the service's answer.

        Raises:
            Unreachable: nobody answers, or the service does not let us in.
        """
        delivery = await self.door.deliver(self.author.stamped(samples.text(module, text, **params)))
        if delivery.output is None:
            held_open(self.base, delivery.reply.status, AT_RUNPOD if self.door.way == "runpod" else AT_PLAIN)
        output = delivery.output if isinstance(delivery.output, dict) else {}
        result = output.get("result")
        if isinstance(result, dict):
            return result
        failure = output.get("failure")
        code = failure.get("code") if isinstance(failure, dict) else None
        self.troubles.append(f"{module}: {code or delivery.trouble or 'an answer without result'}")
        return {}
