"""PostgreSQL 15 with en_US.utf8, imitated on SQLite."""

from __future__ import annotations

from tzzr_mocks.hst.dialects.sqlite import Sqlite


class Postgres(Sqlite):
    """NULLs last, the collation's order, exact case, strings for counts, and failures where types do not fit."""

    name = "postgres"
    client = "pg"
