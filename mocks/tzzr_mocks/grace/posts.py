"""What a worker posts for each kind of result of its program, and what the platform makes of the post.

Source: the table of runpod.md §6, measured with RunPod's own worker (golden files ``worker_posts_*``).
"""

from __future__ import annotations

import json
import traceback
from dataclasses import dataclass, replace
from typing import Any

from tzzr_mocks.grace.job import ABSENT, Chunk
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.schemas import dump

WORKER_VERSION = "1.12.0"
"""The version of RunPod's worker package whose posts were measured."""


@dataclass(frozen=True)
class Post:
    """One result as the platform receives it; a field that was not sent is ABSENT.

    ``stop_pod``: the worker wants to be replaced by a fresh one afterwards.
    """

    output: Any = ABSENT
    error: Any = ABSENT
    stop_pod: bool = False


def post_of(value: Any) -> Post:
    """The post for what a program returned.

    A dict loses its keys ``error`` and ``refresh_worker``; a dict that is empty then is not sent.
    """
    if not isinstance(value, dict):
        return Post(value)
    rest = {key: item for key, item in value.items() if key not in ("error", "refresh_worker")}
    return Post(rest or ABSENT, value.get("error") or ABSENT, bool(value.get("refresh_worker")))


def post_of_failure(failure: Exception, worker_id: str) -> Post:
    """The post for what a program raised: one JSON object of six keys, serialised into the string ``error``."""
    six = {
        "error_type": str(type(failure)),
        "error_message": str(failure),
        "error_traceback": _traceback(failure),
        "hostname": f"{worker_id}-host",
        "worker_id": worker_id,
        "runpod_version": WORKER_VERSION,
    }
    return Post(error=json.dumps(six))


def post_of_broken_stream(failure: Exception) -> Post:
    """The post for what a generator raised: plain text, not JSON."""
    return Post(error=f"handler: {failure} \ntraceback: {_traceback(failure)}")


def _traceback(failure: Exception) -> str:
    """The traceback without a path of this machine: the same everywhere."""
    frames = [_frame(frame) for frame in traceback.extract_tb(failure.__traceback__)]
    lines = ["Traceback (most recent call last):\n", *frames]
    return "".join([*lines, *traceback.format_exception_only(failure)])


def _frame(frame: traceback.FrameSummary) -> str:
    """One frame as a worker in its container would print it."""
    return f'  File "/app/{frame.filename.rsplit("/", 1)[-1]}", line {frame.lineno}, in {frame.name}\n'


def delivered(post: Post, limit_bytes: int) -> Post | None:
    """What arrives of a post. None: nothing ever does, because JSON cannot say it (bytes, sets, NaN).

    An output over ``limit_bytes`` is refused and the job completes without it (worker-comfyui#129).
    """
    if post.output is ABSENT:
        return post
    try:
        size = len(dump(post.output))
    except (TypeError, ValueError, RecursionError):
        return None
    return replace(post, output=ABSENT) if size > limit_bytes else post


def outcome(post: Post, *, error_object_completes: bool) -> tuple[Status, Any, str | None]:
    """Final status, output and error text that the platform makes of a post that arrived."""
    if post.error is ABSENT:
        return Status.COMPLETED, post.output, None
    if isinstance(post.error, str):
        return Status.FAILED, post.output, post.error
    if error_object_completes:
        return Status.COMPLETED, ABSENT, None
    return Status.FAILED, post.output, dump(post.error).decode()


def split_chunk(chunk: Chunk, limit_bytes: int) -> list[Chunk]:
    """A streamed text over the platform's limit in pieces that fit; anything else as it is (DOC-op, 1 MB)."""
    text = chunk.output
    if not isinstance(text, str) or len(text.encode("utf-8", "replace")) <= limit_bytes:
        return [chunk]
    step = max(1, limit_bytes // 4)  # no code point takes more than four bytes
    return [Chunk(text[start : start + step], chunk.metrics) for start in range(0, len(text), step)]
