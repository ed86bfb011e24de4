"""Where a task waits, told for people."""

from __future__ import annotations

import asyncio
from types import FrameType
from typing import Any

_FRAMES = ("cr_frame", "gi_frame", "ag_frame")
_AWAITED = ("cr_await", "gi_yieldfrom", "ag_await")


def where(task: asyncio.Task[Any]) -> str:
    """``name: folder/file.py:line function`` of the deepest frame that the task waits in."""
    frame = _deepest(task.get_coro())
    if frame is None:
        return f"{task.get_name()}: not started"
    code = frame.f_code
    place = "/".join(code.co_filename.split("/")[-2:])
    return f"{task.get_name()}: {place}:{frame.f_lineno} {code.co_qualname}"


def _deepest(coroutine: Any) -> FrameType | None:
    frame: FrameType | None = None
    while coroutine is not None:
        frame = _first(coroutine, _FRAMES) or frame
        coroutine = _first(coroutine, _AWAITED)
    return frame


def _first(thing: Any, names: tuple[str, ...]) -> Any:
    return next((value for name in names if (value := getattr(thing, name, None)) is not None), None)
