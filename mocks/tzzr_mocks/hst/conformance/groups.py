"""The settings under which each group of cases was recorded."""

from __future__ import annotations

from tzzr_mocks.hst.settings import HstSettings, RateLimit

GROUPS: dict[str, HstSettings] = {
    "default": HstSettings(),
    "restricted": HstSettings(),
    "rate": HstSettings(rate_limit=RateLimit(3, 3)),
    "rateglobal": HstSettings(rate_limit=RateLimit(8, 8), rate_limit_global=RateLimit(3, 1)),
    "cors": HstSettings(cors=True),
    "corslist": HstSettings(cors=("https://app.example", "https://b.example")),
    "cache": HstSettings(cache_seconds=60.0),
    "limits": HstSettings(default_limit=20, max_limit=50),
    "pressure": HstSettings(pressure=True, pressure_retry_after=7),
    "pressure2": HstSettings(pressure=True),
    "app": HstSettings(serve_app=True),
    "dev": HstSettings(development=True),
}
"""By the name that the cases have in ``group``."""

WAITS = {"21_rate_limit-013": 4.0, "21_rate_limit-014": 4.0, "22_rate_limit_global-006": 1.2}
"""Seconds that pass before a case: it was recorded after a pause."""
