"""The port between the GRACE worker and its engines: what an engine is given, answers and raises.

An engine is a plain function of its :class:`Work`. It does no I/O beyond its own package data, reads no
clock and no global randomness, so the same work has the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "Engine", "EngineError", "Work"]


class EngineError(Exception):
    """A failure that a CONTRACT §2 code names.

    ``message`` is English and for logs; ``details`` holds the keys that the code's row of §2 asks for.
    """

    def __init__(self, code: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details: dict[str, Any] = dict(details or {})


@dataclass(frozen=True, slots=True)
class Work:
    """One request for one leaf module, already decoded.

    ``content`` is the text of a text payload and the decoded bytes of any other. ``params`` are the
    request's own: the engine fills in the defaults of CONTRACT §4.
    """

    module: str
    lang: str = "es"
    mode: str = "strict"
    content: str | bytes = ""
    media_type: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text payload. Raises ``PAYLOAD_UNSUPPORTED`` when the payload is not text."""
        if isinstance(self.content, str):
            return self.content
        raise EngineError(
            "PAYLOAD_UNSUPPORTED",
            f"{self.module} takes text, and the payload is {self.media_type or 'binary'}",
            {"accepted": ["text"]},
        )

    @property
    def octets(self) -> bytes:
        """The payload as bytes: what was decoded, or the UTF-8 form of a text."""
        return self.content.encode("utf-8") if isinstance(self.content, str) else self.content


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine computed.

    ``result`` has the names of CONTRACT §4. ``confidence`` is what strict mode compares with the module's
    threshold, None where the module has none. ``invented`` is true when content was made up because it
    cannot be computed offline. ``cost_ms`` is how long the module pretends to have worked.
    """

    result: dict[str, Any]
    confidence: float | None = None
    invented: bool = False
    cost_ms: int = 0


Engine = Callable[[Work], Answer]
