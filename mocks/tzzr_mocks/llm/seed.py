"""The names and the key that the model's fake knows."""

from __future__ import annotations

from typing import Final

KEY: Final = "tzzr-offline-model-key"
"""The key that it takes, as a bearer token or in ``x-api-key``."""
MODEL: Final = "tzzr-fake"
"""The one model that there is."""
CREATED: Final = 1_767_520_800
"""When it was made: 2026-01-04T10:00:00Z, the day on which every world begins."""
