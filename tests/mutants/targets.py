"""What is mutated, and by which tests it is held."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Target:
    """Modules that are mutated together, and the quick tests that are meant to kill the mutants."""

    name: str
    modules: tuple[str, ...]
    """Patterns of files, as an installed project lays them out: ``tzzr_mocks/hst/store.py``."""
    tests: tuple[str, ...]
    """Files, folders or patterns of tests, from the root of the repository."""
    without: tuple[str, ...] = ()
    """Tests of these that start a process or look at more than the copied tree; beginnings of their ids."""
    realtime: bool = False
    """Whether tests on real time, with real descriptors and sockets of this machine, are among them."""


def targets(file: Path = HERE / "targets.toml") -> dict[str, Target]:
    """Every target by its name."""
    tables = tomllib.loads(file.read_text("utf-8"))
    return {
        name: Target(name, **{key: _frozen(value) for key, value in table.items()}) for name, table in tables.items()
    }


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
