"""How a turn of the chat gateway may end: the words that ``stopped`` and ``error`` of a chat step can hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from tzzr_scenarios.language.mistakes import Mistake
from tzzr_scenarios.language.models import Expect
from tzzr_scenarios.language.places import Document, Path
from tzzr_scenarios.spelling import suggestion

STOPPED: Final = ("answer", "limit", "error", "cancelled")
"""Why a turn ended, as the gateway's event ``done`` says it."""
ERRORS: Final = (
    "MODEL_AUTH", "MODEL_NOT_FOUND", "MODEL_QUOTA", "MODEL_RATE_LIMITED", "MODEL_REJECTED", "MODEL_DOWN",
    "MODEL_UNREACHABLE", "MODEL_TIMEOUT", "MODEL_CUT", "MODEL_GARBLED", "MODEL_SILENT", "MODEL_ARGUMENTS",
    "LIMIT_ROUNDS", "LIMIT_TOOL_CALLS", "LIMIT_TOKENS", "LIMIT_TIME", "LIMIT_LOOP",
    "SERVER_UNREACHABLE", "CONVERSATION_INVALID", "BUSY", "CANCELLED", "INTERNAL",
)  # fmt: skip
"""The codes of the gateway's event ``error``."""


def senseless_end(document: Document, expect: Expect, path: Path) -> Iterator[Mistake]:
    """Ends that a turn never has. What is told by an operator is left alone: it may mean to exclude."""
    yield from _named(document, expect.stopped, STOPPED, (*path, "stopped"))
    error = expect.error
    if isinstance(error, dict) and "code" in error:
        yield from _named(document, error["code"], ERRORS, (*path, "error", "code"))
    else:
        yield from _named(document, error, ERRORS, (*path, "error"))


def _named(document: Document, word: Any, known: Collection[str], path: Path) -> Iterator[Mistake]:
    if isinstance(word, str) and word not in known and "${" not in word:
        yield document.mistake(path, f'"{word}" is no end of a turn', suggestion(word, list(known), "known here"))
