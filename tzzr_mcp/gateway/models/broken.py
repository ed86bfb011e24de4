"""From what an official client raises to what the gateway says: one rule for both clients, whose errors have one shape."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import httpx2

from tzzr_mcp.gateway.models.exchange import Output
from tzzr_mcp.gateway.models.failures import ModelError, of_status

log = logging.getLogger(__name__)

_NONSENSE = (ValueError, TypeError, AttributeError, LookupError)
"""What the clients stumble over when an answer is not what its maker documents: they check nothing as it comes in."""


class Answer(Protocol):
    """An answer as it grows."""

    def take(self, piece: Any, /) -> Iterable[Output]:
        """What the stream's next piece tells."""
        ...

    def end(self) -> Iterable[Output]:
        """What can be told once the stream is over.

        Raises:
            ModelError: it ended before the model said why it stopped.
        """
        ...


@dataclass(frozen=True)
class Broken:
    """Translates the errors of one official client, ``sdk``: the module ``openai`` or ``anthropic``."""

    sdk: ModuleType

    async def told(self, opening: Awaitable[Any], answer: Answer) -> AsyncGenerator[Output, None]:
        """What ``answer`` makes of the stream; the client's errors become ours. The original is logged, for the operator alone.

        Raises:
            ModelError: the request failed, before the answer began or after it.
        """
        began = False
        try:
            async with await opening as stream:
                began = True
                async for piece in stream:
                    for output in answer.take(piece):
                        yield output
            for output in answer.end():
                yield output
        except ModelError:
            raise
        except (self.sdk.APIError, httpx2.HTTPError, *_NONSENSE) as error:
            failure = self._failure(error, began=began)
            log.warning("the model failed (%s): %s: %.500s", failure.code, type(error).__name__, error)
            raise failure from error

    def _failure(self, error: Exception, *, began: bool) -> ModelError:
        if isinstance(error, self.sdk.APITimeoutError | httpx2.TimeoutException):
            return ModelError("MODEL_TIMEOUT")
        if isinstance(error, self.sdk.APIStatusError):
            return _of_response(error)
        if isinstance(error, self.sdk.APIConnectionError | httpx2.HTTPError):
            return ModelError("MODEL_CUT" if began else "MODEL_UNREACHABLE")
        return ModelError("MODEL_DOWN" if isinstance(error, self.sdk.APIError) else "MODEL_GARBLED")


def _of_response(error: Any) -> ModelError:
    """An error status; or an error inside a stream that began well, whose status says nothing."""
    if error.status_code < 400:
        return ModelError("MODEL_DOWN")
    if getattr(error, "code", None) == "insufficient_quota":
        # OpenAI's status for it is that of a rate limit.
        return ModelError("MODEL_QUOTA")
    return of_status(error.status_code, error.response.headers.get("retry-after"))
