"""How many scenarios a second the runner plays, each on a world and a loop of its own."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.timing import wall
from tzzr_scenarios import files, runner
from tzzr_scenarios.language.load import load_all


def figures() -> Iterator[tuple[str, str, str]]:
    """Rows of name, figure, ratio."""
    chosen = load_all(files.find([]))
    seconds = wall(lambda: [runner.run_one(file, runner.Settings()) for file in chosen])
    yield f"the catalogue of {len(chosen)} scenarios", f"{seconds:.1f} s", f"{len(chosen) / seconds:.0f} a second"
