"""The file that a session is recorded in: one JSON object a line, written as soon as it was said.

The first line tells of the recording (`Head`), each further one of a message: seconds since the beginning, who said it
(``client`` or ``server``), and the JSON-RPC message, or the text of a line that is none.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from tzzr_mcp import __version__
from tzzr_mcp.seams import Clock
from tzzr_scenarios.recording.secrets import ANSWERED, LONGEST, Discretion, is_secret

FORMAT = 1
"""The version of the file's form."""
Sender = Literal["client", "server"]
_SETTINGS = ("TZZR_", "LOG_LEVEL", "GRACE_", "HST_", "CONTEXT_")
_LIMITS = {"client": LONGEST, "server": ANSWERED}


@dataclass(frozen=True)
class Head:
    """What a recording begins with. ``settings`` are the server's environment variables that are no secrets."""

    recording: int
    by: str
    begun: str
    command: Sequence[str]
    settings: Mapping[str, str] = field(default_factory=dict)


class Tape:
    """Writes one recording. A disk that is full ends the recording, never the session; ``trouble`` says so.

    Raises:
        OSError: the file cannot be made.
    """

    def __init__(self, path: Path, command: Sequence[str], environ: Mapping[str, str], clock: Clock) -> None:
        self.path = path
        self.messages = 0
        self.trouble = ""
        self._clock, self._began = clock, clock.now()
        self._discretion = Discretion(environ, command)
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")
        self._write(asdict(self._head(command, environ)))

    def _head(self, command: Sequence[str], environ: Mapping[str, str]) -> Head:
        said = [self._discretion.text(word) for word in command]
        named = {name: value for name, value in sorted(environ.items()) if name.startswith(_SETTINGS)}
        settings = {name: self._discretion.text(value) for name, value in named.items() if not is_secret(name)}
        return Head(FORMAT, f"tzzr {__version__}", self._began.isoformat(), said, settings)

    def note(self, sender: Sender, line: bytes) -> None:
        """Write down one line of one side; a blank one says nothing."""
        text = line.decode("utf-8", "backslashreplace").strip()
        if text:
            at = round((self._clock.now() - self._began).total_seconds(), 3)
            self._write({"at": at, "from": sender, **self._said(sender, text)})
            self.messages += 1

    def _said(self, sender: Sender, text: str) -> dict[str, Any]:
        try:
            message = json.loads(text)
        except ValueError:
            return {"text": self._discretion.text(text)}
        return {"message": self._discretion.message(message, _LIMITS[sender])}

    def _write(self, row: Mapping[str, Any]) -> None:
        with self._lock:
            if self._file.closed:
                return
            try:
                self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
                self._file.flush()
            except OSError as error:
                self.trouble = self.trouble or f"the recording ends here: {error}"

    def close(self) -> None:
        """Write nothing more."""
        with self._lock:
            try:
                self._file.close()
            except OSError as error:
                self.trouble = self.trouble or f"the recording may lack its end: {error}"
