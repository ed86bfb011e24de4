"""The fakes on ports, with many isolated worlds behind them and the control plane under ``/__tzzr/``."""

from __future__ import annotations

from tzzr_mocks.desk import UnknownWorld
from tzzr_mocks.served.server import DEFAULT_PORTS, FakesServer, serve
from tzzr_mocks.served.worlds import Worlds

__all__ = ["DEFAULT_PORTS", "FakesServer", "UnknownWorld", "Worlds", "serve"]
