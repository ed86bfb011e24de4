"""The named starting worlds of the fake GRACE: which endpoints there are and what runs on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tzzr_mocks.control import Control
from tzzr_mocks.control.errors import unknown
from tzzr_mocks.grace.programs import Deployment
from tzzr_mocks.grace.worker import GraceWorker

GRACE_ENDPOINT: Final = "grace"
API_KEY: Final = "rpa_tzzr_offline"
"""What a fake accepts when nobody says otherwise. It opens nothing else."""

Start = Callable[[Control], dict[str, Deployment]]


def _default(control: Control) -> dict[str, Deployment]:
    """GRACE with two warm workers, of three."""
    return {GRACE_ENDPOINT: Deployment(GraceWorker(control, GRACE_ENDPOINT))}


def _cold(control: Control) -> dict[str, Deployment]:
    """GRACE scaled to zero: the first job starts a worker."""
    return {GRACE_ENDPOINT: Deployment(GraceWorker(control, GRACE_ENDPOINT), warm=0)}


def _busy(control: Control) -> dict[str, Deployment]:
    """GRACE with one worker for everybody."""
    return {GRACE_ENDPOINT: Deployment(GraceWorker(control, GRACE_ENDPOINT), warm=1, most=1)}


def _empty(control: Control) -> dict[str, Deployment]:
    """No endpoint at all: every call is about one that is not known."""
    return {}


STARTS: Final[Mapping[str, Start]] = MappingProxyType(
    {"default": _default, "cold": _cold, "busy": _busy, "empty": _empty}
)


def start_named(name: str) -> Start:
    """The starting world called ``name``.

    Raises:
        PlanError: there is none; tells the nearest one.
    """
    if name not in STARTS:
        raise unknown("starting world of grace", name, STARTS)
    return STARTS[name]
