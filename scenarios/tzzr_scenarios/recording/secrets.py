"""What must not be kept of a session: secrets of the server's environment and command, and whatever is named like one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tzzr_mocks.control.redaction import BLOT, SECRET_FIELDS, Redaction

LONGEST = 10 << 20
"""Characters of one text that are kept of what the client sends; more than any call may carry."""
ANSWERED = 64 << 10
"""Characters of one text that are kept of what the server answers."""

_SECRET_VARIABLE = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_LEAST = 6
"""Characters that a secret has at least: blotting out shorter ones would blot out words."""


def is_secret(variable: str) -> bool:
    """Whether an environment variable holds a secret, by its name."""
    return _SECRET_VARIABLE.search(variable) is not None


class Discretion:
    """Takes secrets out of messages, and cuts what is too long to keep."""

    def __init__(self, environ: Mapping[str, str], command: Sequence[str] = ()) -> None:
        held = [value for name, value in environ.items() if is_secret(name)]
        self._redaction = Redaction(value for value in [*held, *_flagged(command)] if len(value) >= _LEAST)

    def message(self, message: Any, limit: int) -> Any:
        """A JSON value without secrets, each text in it cut at ``limit`` characters."""
        if isinstance(message, Mapping):
            return {key: self._field(key, value, limit) for key, value in message.items()}
        if isinstance(message, list):
            return [self.message(item, limit) for item in message]
        return self.text(message, limit) if isinstance(message, str) else message

    def text(self, text: str, limit: int = ANSWERED) -> str:
        """A text without secrets, cut at ``limit`` characters."""
        clean = self._redaction.text(text)
        return clean if len(clean) <= limit else f"{clean[:limit]}{cut_mark(len(clean))}"

    def _field(self, key: str, value: Any, limit: int) -> Any:
        if isinstance(value, str) and key.lower() in SECRET_FIELDS:
            return BLOT
        return self.message(value, limit)


def cut_mark(characters: int) -> str:
    """What stands at the end of a text that was cut."""
    return f"… [cut: {characters} characters in all]"


def was_cut(text: str) -> bool:
    """Whether a recorded text is only the beginning of what was said."""
    return text.endswith(" characters in all]") and "… [cut: " in text[-60:]


def _flagged(command: Sequence[str]) -> Iterator[str]:
    """The values of a command's options that are named like secrets: ``--token x``, ``--api-key=x``."""
    for number, word in enumerate(command):
        name, equals, value = word.partition("=")
        if name.startswith("-") and is_secret(name):
            yield value if equals else "".join(command[number + 1 : number + 2])
