"""A model asked again, where it failed before it said anything and may do better: on the seams' clock, by their dice."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from tzzr_mcp.gateway.formodel import ForModel
from tzzr_mcp.gateway.models.exchange import Exchange, Model, Offer, Output
from tzzr_mcp.gateway.models.failures import ModelError
from tzzr_mcp.seams import Seams

log = logging.getLogger(__name__)

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
"""A model that asks for more patience than that has failed: the person would rather know."""


@dataclass(frozen=True)
class Patient:
    """``model``, asked up to ``attempts`` times. The waits double, each between half and the whole of its length."""

    model: Model
    attempts: int
    seams: Seams

    async def stream(
        self, system: ForModel, messages: Sequence[Exchange], tools: Sequence[Offer]
    ) -> AsyncGenerator[Output, None]:
        """One answer, as it comes. What has begun to come is never asked for again.

        Raises:
            ModelError: the last attempt's.
        """
        for attempt in range(1, self.attempts + 1):
            began = False
            try:
                async with aclosing(self.model.stream(system, messages, tools)) as outputs:
                    async for output in outputs:
                        began = True
                        yield output
                return
            except ModelError as error:
                wait = self._wait(error, attempt)
                if began or not error.retryable or attempt == self.attempts or wait > LONGEST_WAIT_S:
                    raise
                log.info(
                    "the model failed (%s), attempt %d of %d; again in %.1f s", error.code, attempt, self.attempts, wait
                )
                await self.seams.clock.sleep(wait)

    def _wait(self, error: ModelError, attempt: int) -> float:
        if error.after_s is not None:
            return error.after_s
        longest: float = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (attempt - 1))
        return self.seams.dice.named("model").uniform(longest / 2, longest)
