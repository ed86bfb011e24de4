"""How a process serves, as far as no setting says it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class How:
    """What the command line says beside the settings.

    ``offline`` serves from the fakes. ``open_to_all`` serves every address without a token (profile ``poc``).
    ``workers`` is the number of processes, ``worker_socket`` the listening descriptor that one of them inherits.
    """

    offline: bool = False
    open_to_all: bool = False
    workers: int = 1
    worker_socket: int | None = None
