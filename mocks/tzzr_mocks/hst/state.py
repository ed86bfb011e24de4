"""What the routes of one fake share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tzzr_mocks.hst.auth import Tokens
from tzzr_mocks.hst.items import Items
from tzzr_mocks.hst.reads import Reads
from tzzr_mocks.hst.settings import HstSettings
from tzzr_mocks.hst.store import Store
from tzzr_mocks.hst.writes import Writes


@dataclass
class State:
    """Rows, rules, tokens, settings and the world's wall time."""

    settings: HstSettings
    store: Store
    items: Items
    reads: Reads
    writes: Writes
    tokens: Tokens
    now: Callable[[], datetime]
