"""The Context Manager's fake (CONTRACT §6): what an agent was doing, on port 5500."""

from __future__ import annotations

from tzzr_mocks.context.app import ContextFake

__all__ = ["ContextFake"]
