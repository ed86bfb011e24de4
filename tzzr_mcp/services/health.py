"""What RunPod's ``/health`` says of an endpoint's workers, in a few Spanish words (runpod.md §8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tzzr_mcp.services.spanish import counted

_WORKING: Final = ("idle", "ready", "running")

_WAITING: Final = (
    ("unhealthy", "con fallos"),
    ("throttled", "a la espera de máquina"),
    ("initializing", "en arranque"),
)
"""Why there may be no worker to take a job, the worst first."""


def workforce(document: Mapping[str, Any]) -> str | None:
    """What keeps jobs waiting; None when nothing does. Counters not told count as 0.

    That an idle endpoint has no worker at all is usual: it starts them when a job comes.
    """
    workers = _counters(document.get("workers"))
    queued = _counters(document.get("jobs")).get("inQueue", 0)
    why = [f"{workers[name]} {reason}" for name, reason in _WAITING if workers.get(name)]
    notes = []
    if (why or queued) and not any(workers.get(name) for name in _WORKING):
        notes.append("ningún trabajador disponible" + (f" ({', '.join(why)})" if why else ""))
    if queued:
        notes.append(f"{counted(queued, 'trabajo', 'trabajos')} en cola")
    return "; ".join(notes) or None


def _counters(told: Any) -> dict[str, int]:
    given = told if isinstance(told, dict) else {}
    return {name: value for name, value in given.items() if isinstance(value, int) and value > 0}
