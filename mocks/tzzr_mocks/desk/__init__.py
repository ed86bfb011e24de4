"""The control plane of worlds as an application: the same in a process, through a world's transport, and on ports."""

from __future__ import annotations

from tzzr_mocks.desk.alone import Alone
from tzzr_mocks.desk.app import CONTROL_PREFIX, control_app, is_control
from tzzr_mocks.desk.live import DEFAULT, Live, UnknownWorld, Worlds

__all__ = ["CONTROL_PREFIX", "DEFAULT", "Alone", "Live", "UnknownWorld", "Worlds", "control_app", "is_control"]
