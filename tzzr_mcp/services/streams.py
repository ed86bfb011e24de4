"""RunPod's ``/stream``: what a job's worker has yielded and nobody has read yet (runpod.md §4). Pure.

It is read for the text that it shows on the way, and believed in one thing alone: a whole result that it brings. What
became of the job is asked of ``/status``, because a stream may be empty, cut, never final or wrong about its end (§13).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from tzzr_mcp.services.http import Request
from tzzr_mcp.services.jobs import Job, JobState

HOLD_S: Final = 1.0
"""Seconds for which RunPod holds an answer that has nothing new: the least that it accepts (runpod.md §4)."""

PartOf = Callable[[Any], str]
"""The text in one item that a job yielded, empty when there is none in it."""


@dataclass(frozen=True)
class Batch:
    """What one reading brought: the items, oldest first."""

    items: Sequence[Any]

    def text(self, part_of: PartOf) -> str:
        """What has been written since the reading before."""
        return "".join(part_of(item) for item in self.items)

    def result(self, job_id: str, usable: Callable[[Any], bool]) -> Job | None:
        """The completed job, when its whole result is among the items."""
        if not self.items or not usable(self.items[-1]):
            return None
        return Job(job_id, JobState.COMPLETED, self.items[-1])


def reading(endpoint_path: str, job_id: str, timeout_s: float, about: Mapping[str, str]) -> Request:
    """The request for what is new; ``timeout_s`` is what a request may take that is not held."""
    path = f"{endpoint_path}/stream/{quote(job_id, safe='')}"
    return Request("GET", path, {"wait": str(round(HOLD_S * 1000))}, timeout_s=HOLD_S + timeout_s, about=about)


def read_batch(document: Mapping[str, Any]) -> Batch | None:
    """The batch in an answer of ``/stream``; None when it is none: it tells no state, or brings no list."""
    chunks = document.get("stream")
    if not isinstance(document.get("status"), str) or not isinstance(chunks, list):
        return None
    return Batch([chunk["output"] for chunk in chunks if isinstance(chunk, dict) and "output" in chunk])
