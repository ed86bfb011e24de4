"""Where a task waits and for whom, told for people."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import FrameType
from typing import Any

_FRAMES = ("cr_frame", "gi_frame", "ag_frame")
_AWAITED = ("cr_await", "gi_yieldfrom", "ag_await")
_PLUMBING = frozenset({"asyncio", "anyio", "contextlib"})
"""Where everybody waits in the end: the place worth telling is the one that called it."""


def where(task: asyncio.Task[Any]) -> str:
    """``name: folder/file.py:line function, in Lock.acquire, for Task-2``.

    The place is the deepest one outside of asyncio and anyio; what follows says what it waits in there, and for which
    other tasks, where that can be told.
    """
    frames = list(_frames(task.get_coro()))
    if not frames:
        return f"{task.get_name()}: not started"
    own = next((frame for frame in reversed(frames) if not _is_plumbing(frame)), frames[-1])
    place = "/".join(own.f_code.co_filename.split("/")[-2:])
    inside = "" if frames[-1] is own else f", in {frames[-1].f_code.co_qualname}"
    others = ", ".join(_awaited_tasks(task))
    return (
        f"{task.get_name()}: {place}:{own.f_lineno} {own.f_code.co_qualname}{inside}{f', for {others}' * bool(others)}"
    )


def _frames(coroutine: Any) -> Iterator[FrameType]:
    """Each frame from the task's own coroutine down to where it waits."""
    while coroutine is not None:
        if (frame := _first(coroutine, _FRAMES)) is not None:
            yield frame
        coroutine = _first(coroutine, _AWAITED)


def _is_plumbing(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in _PLUMBING


def _awaited_tasks(task: asyncio.Task[Any]) -> list[str]:
    """The names of the tasks that it awaits, alone or gathered; what asyncio does not show is left out."""
    waiter = getattr(task, "_fut_waiter", None)
    awaited = [waiter, *getattr(waiter, "_children", ())]
    return [each.get_name() for each in awaited if isinstance(each, asyncio.Task) and not each.done()]


def _first(thing: Any, names: tuple[str, ...]) -> Any:
    return next((value for name in names if (value := getattr(thing, name, None)) is not None), None)
