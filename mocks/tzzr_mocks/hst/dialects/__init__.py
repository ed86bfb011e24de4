"""What depends on the database under Directus (directus.md §8): SQLite, or PostgreSQL's ways on SQLite."""

from __future__ import annotations

from tzzr_mocks.hst.dialects.base import Dialect
from tzzr_mocks.hst.dialects.postgres import Postgres
from tzzr_mocks.hst.dialects.sqlite import FIGURES, Sqlite

DIALECTS: dict[str, type[Dialect]] = {"sqlite": Sqlite, "postgres": Postgres}

__all__ = ["DIALECTS", "FIGURES", "Dialect", "Postgres", "Sqlite"]
