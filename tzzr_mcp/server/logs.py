"""Logs on stderr, as text or as JSON, without secrets, and without ever making the server wait.

A client that starts the server and never reads its stderr fills a pipe of some 64 kB. Lines then wait in a bounded
queue, and beyond it they are dropped.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import re
import threading
from collections.abc import Callable, Iterable
from logging.handlers import QueueHandler
from typing import Any
from urllib.parse import quote

HIDDEN = "[secret]"
_CREDENTIALS = re.compile(r"(?i)(\bbearer\s+|access_token=)[^\s\"'&,;]+")
"""What looks like a credential although no setting knows it."""

_END = "\0"

QUIET = ("httpx", "httpcore", "asyncio", "mcp")
"""Libraries whose chatter below a warning tells a user nothing."""

AHEAD = 1000
"""Lines that wait for a slow reader."""
FLUSH_S = 1.0
"""Seconds that the process's end waits for them."""


def to_stderr(line: str) -> None:
    """Write to the descriptor itself: a thread that is stuck here must not hold a lock when the process ends."""
    view = memoryview(line.encode(errors="backslashreplace"))
    while view:
        view = view[os.write(2, view) :]


def configure_logs(level: str, style: str, secrets: Iterable[str], write: Callable[[str], object] = to_stderr) -> None:
    """Send every log record of the process to ``write``, in a thread.

    ``style`` is ``text`` or ``json``; no line holds one of ``secrets``, whatever library wrote it.
    """
    handler = _Patient(write)
    handler.setFormatter(_Json(secrets) if style == "json" else _Text(secrets))
    for former in logging.root.handlers:
        former.close()
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.root.level))


class _Patient(QueueHandler):
    """Formats at once, writes in a daemon thread, drops what does not fit."""

    queue: queue.Queue[str]

    def __init__(self, write: Callable[[str], object]) -> None:
        super().__init__(queue.Queue(AHEAD))
        self._put = write
        threading.Thread(target=self._write, name="logs", daemon=True).start()

    def prepare(self, record: logging.LogRecord) -> str:
        """The line, made at once: what a record holds may change before it is written."""
        return self.format(record)

    def enqueue(self, record: Any) -> None:
        """Put a line in the queue, or drop it where the queue is full."""
        try:
            self.queue.put_nowait(f"{record}\n")
        except queue.Full:
            return

    def flush(self) -> None:
        """Wait until all is written, at most `FLUSH_S` seconds."""
        with self.queue.all_tasks_done:
            self.queue.all_tasks_done.wait_for(lambda: not self.queue.unfinished_tasks, FLUSH_S)

    def close(self) -> None:
        """Let the thread end after what is in the queue."""
        super().close()
        self.enqueue(_END)

    def _write(self) -> None:
        while (line := self.queue.get()) != f"{_END}\n":
            try:
                self._put(line)
            except OSError:  # stderr is closed: there is nobody to tell
                return
            finally:
                self.queue.task_done()


class _Text(logging.Formatter):
    """``12:00:00 WARNING tzzr_mcp.server.tools: …``."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")
        forms = {form for secret in secrets if secret for form in (secret, quote(secret, safe=""), repr(secret)[1:-1])}
        self._forms = sorted(forms, key=len, reverse=True)

    def clean(self, text: str) -> str:
        """The text with every secret, and what looks like a credential, as `HIDDEN`."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return _CREDENTIALS.sub(rf"\1{HIDDEN}", text)

    def format(self, record: logging.LogRecord) -> str:
        """The record as one clean line, an exception below it."""
        return self.clean(super().format(record))


class _Json(_Text):
    """One JSON object a line: ``time`` in seconds since the epoch, ``level``, ``logger``, ``message``, ``exception``."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one clean JSON object."""
        fields: dict[str, Any] = {
            "time": round(record.created, 3),
            "level": record.levelname,
            "logger": record.name,
            "message": self.clean(record.getMessage()),
        }
        if record.exc_info:
            fields["exception"] = self.clean(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)
