"""The named starting worlds of the fake GRACE: which endpoints there are and what runs on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from tzzr_mocks.control import Control
from tzzr_mocks.control.errors import unknown
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.limits import Limits
from tzzr_mocks.grace.options import Options, Workers
from tzzr_mocks.grace.programs import Deployment
from tzzr_mocks.grace.worker import GraceWorker

GRACE_ENDPOINT: Final = "grace"
API_KEY: Final = "rpa_tzzr_offline"
"""What a fake accepts when nobody says otherwise. It opens nothing else."""

Deploy = Callable[[Control], dict[str, Deployment]]
"""Makes the endpoints of a starting world; each call makes new ones."""


@dataclass(frozen=True)
class Start:
    """A starting world: its endpoints, and the habits of its platform when nobody gives others."""

    deploy: Deploy
    options: Options = field(default_factory=Options)


def _grace(warm: int | None = None, most: int | None = None) -> Deploy:
    """GRACE alone, with so many workers."""

    def deploy(control: Control) -> dict[str, Deployment]:
        return {GRACE_ENDPOINT: Deployment(GraceWorker(control, GRACE_ENDPOINT), warm=warm, most=most)}

    return deploy


DOCUMENTED: Final = Options(
    over_time_status=Status.TIMED_OUT, silent_status=Status.TIMED_OUT, ttl_over="timed_out", late_kill_s=(0.0, 0.0),
    webhook_pauses_s=(10.0, 10.0),
)  # fmt: skip
"""RunPod's habits in its documents' words, where captures of the platform show others."""

STARTS: Final[Mapping[str, Start]] = MappingProxyType(
    {
        "default": Start(_grace()),
        "cold": Start(_grace(warm=0)),
        "busy": Start(_grace(warm=1, most=1)),
        "empty": Start(lambda _: {}),
        "documented": Start(_grace(), DOCUMENTED),
        "unlimited": Start(_grace(warm=8, most=8), Options(workers=Workers(pickup_s=0.0), limits=Limits.off())),
    }
)
"""``cold`` is scaled to zero, ``busy`` has one worker for everybody, ``empty`` knows no endpoint,
``documented`` does as RunPod's documents say where captures show something else, and ``unlimited`` has neither rates nor
pick-up times: for benchmarks and load."""


def start_named(name: str) -> Start:
    """The starting world called ``name``.

    Raises:
        PlanError: there is none; tells the nearest one.
    """
    if name not in STARTS:
        raise unknown("starting world of grace", name, STARTS)
    return STARTS[name]
