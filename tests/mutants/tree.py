"""A tree that mutmut understands: the three packages side by side, the tests, and its settings."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.targets import Target

ROOT = Path(__file__).parents[2]
PACKAGES = {"tzzr_mcp": "tzzr_mcp", "tzzr_mocks": "mocks/tzzr_mocks", "tzzr_scenarios": "scenarios/tzzr_scenarios"}
LINKED = {**PACKAGES, "tests": "tests", "docs": "docs"}
QUIET = ("no:cacheprovider", "no:xdist", "no:cov")


def lay_out(target: Target, folder: Path, *, anew: bool) -> None:
    """Link packages and tests into the folder and write the settings; ``anew`` forgets the results of earlier runs."""
    if anew:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for name, place in LINKED.items():
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(ROOT / place, target_is_directory=True)
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (folder / "pyproject.toml").write_text(f"{project}\n{_settings(target)}", encoding="utf-8")


def _settings(target: Target) -> str:
    """The table ``tool.mutmut``: lists of texts, numbers and booleans are written alike in JSON and TOML."""
    quiet = [word for plugin in QUIET for word in ("-p", plugin)]
    settings = {
        "source_paths": list(PACKAGES),
        "only_mutate": list(target.modules),
        "also_copy": ["docs"],
        "pytest_add_cli_args": [
            *quiet,
            "-m",
            "not slow" if target.realtime else "not slow and not realtime",
            *(f"--deselect={test}" for test in target.without),
        ],
        "pytest_add_cli_args_test_selection": list(_spelt_out(target.tests)),
        "track_dependencies": False,
    }
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in settings.items())
    return "\n".join(("[tool.mutmut]", *lines, ""))


def _spelt_out(patterns: Iterable[str]) -> Iterable[str]:
    """The files behind the patterns; pytest takes none."""
    for pattern in patterns:
        yield from sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))
