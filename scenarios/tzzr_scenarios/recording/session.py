"""A recording read back: what the client asked for, in order, each with what came of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tzzr_scenarios.recording.tape import FORMAT, Head
from tzzr_scenarios.stage import ERAS, Era

ASKING = frozenset(
    {
        "tools/call", "tools/list", "resources/read", "resources/list", "resources/templates/list", "prompts/get",
        "prompts/list", "completion/complete",
    }
)  # fmt: skip
"""The requests that a scenario can repeat."""
_QUIET = frozenset({"initialize", "server/discover", "ping"})
"""Requests that every client makes by itself."""


class RecordingError(ValueError):
    """A file that is no recording, or holds nothing to repeat; the message tells the mend."""


@dataclass
class Asked:
    """One request. ``answer`` is the whole JSON-RPC answer, None while there is none; times are seconds."""

    method: str
    params: Mapping[str, Any]
    at: float
    until: float | None = None
    answer: Mapping[str, Any] | None = None
    given_up: float | None = None

    @property
    def result(self) -> Mapping[str, Any] | None:
        """The result of a request that succeeded."""
        return self.answer.get("result") if self.answer else None


@dataclass
class Session:
    """A session: ``asked`` holds what a scenario can repeat, ``left_out`` counts by method what it cannot."""

    head: Head
    era: Era = ERAS[0]
    asked: list[Asked] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def read_session(path: Path) -> Session:
    """The session that a file holds; a last line that was never finished is no mistake.

    Raises:
        RecordingError: it is not there, is no recording, or nothing in it can be repeated.
    """
    rows = _rows(path)
    session = Session(_head(path, rows[0] if rows else None))
    _Listener(session).listen(rows[1:])
    if not session.asked:
        said = ", ".join(f"{method} ×{times}" for method, times in session.left_out.items()) or "nothing"
        raise RecordingError(f"{path} holds no request that a scenario can repeat (it holds {said})")
    return session


def _rows(path: Path) -> list[Any]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise RecordingError(f"{path}: {reason}; name a file that tzzr record wrote") from error
    return list(_values(path, lines))


def _values(path: Path, lines: Sequence[str]) -> Iterator[Any]:
    for number, line in enumerate(lines, 1):
        try:
            yield json.loads(line)
        except ValueError as error:
            if number < len(lines) or number == 1:
                raise RecordingError(f"{path}:{number} is no JSON; name a file that tzzr record wrote") from error


def _head(path: Path, row: Any) -> Head:
    if not isinstance(row, Mapping) or "recording" not in row:
        raise RecordingError(f"{path} is no recording; make one: tzzr record -- mcp-server-tzzr --offline")
    if row["recording"] != FORMAT:
        raise RecordingError(f"{path} is a recording of version {row['recording']}, this is for version {FORMAT}")
    named = {name: row[name] for name in Head.__dataclass_fields__ if name in row}
    return Head(**{"by": "tzzr", "begun": "", "command": (), **named})


class _Listener:
    """Puts the messages of both sides together."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: dict[str, Asked] = {}

    def listen(self, rows: Sequence[Any]) -> None:
        """Hear all rows of a recording, then leave out what nobody answered."""
        for row in rows:
            message = row.get("message") if isinstance(row, Mapping) else None
            for each in message if isinstance(message, list) else [message]:
                if isinstance(each, Mapping):
                    self._hear(str(row.get("from")), each, float(row.get("at", 0)))
        for asked in self._open.values():
            if asked.given_up is None:
                self._session.left_out[f"{asked.method} without an answer"] += 1
        self._session.asked = [asked for asked in self._session.asked if asked.answer or asked.given_up is not None]

    def _hear(self, sender: str, message: Mapping[str, Any], at: float) -> None:
        method, number = message.get("method"), json.dumps(message.get("id"))
        if sender == "client" and isinstance(method, str):
            self._asked(method, number, message, at)
        elif sender == "server" and method is None and number in self._open:
            asked = self._open.pop(number)
            asked.answer, asked.until = message, at
            if asked.method == "initialize" and asked.result:
                self._session.era = _era(asked.result.get("protocolVersion"))

    def _asked(self, method: str, number: str, message: Mapping[str, Any], at: float) -> None:
        params = message.get("params") or {}
        if method == "notifications/cancelled":
            self._given_up(json.dumps(params.get("requestId")), at)
        elif method in ASKING or method in _QUIET:
            asked = self._open[number] = Asked(method, params, at)
            if method in ASKING:
                self._session.asked.append(asked)
        elif "id" in message:
            self._session.left_out[method] += 1

    def _given_up(self, number: str, at: float) -> None:
        if (asked := self._open.get(number)) is not None:
            asked.given_up = asked.until = at


def _era(version: Any) -> Era:
    """The era of a version that was agreed on by `initialize`: the older one, which the newer does without."""
    return ERAS[0] if str(version) >= ERAS[0] else ERAS[1]
