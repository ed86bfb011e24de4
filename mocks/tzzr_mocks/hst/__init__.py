"""The fake of HST: a Directus with the tag collections, held to recordings of a real one."""

from __future__ import annotations

from tzzr_mocks.hst.app import HstFake
from tzzr_mocks.hst.settings import HstSettings, RateLimit

__all__ = ["HstFake", "HstSettings", "RateLimit"]
