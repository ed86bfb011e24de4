"""What every test stands on: virtual time, an environment without keys, golden files, properties without a deadline."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from tests.searching import EXAMPLES
from tzzr_mocks.network.virtual import VirtualLoop, new_virtual_loop

GOLDEN = Path(__file__).parent / "golden"

# A busy machine is no counter-example, hence no deadline. In CI every search starts from a fixed seed: a red run runs red
# again. A fixed seed excludes the database of failing examples, so what a deep search has kept there is replayed first.
_IN_CI = "CI" in os.environ
_KEPT = DirectoryBasedExampleDatabase(Path(__file__).parents[1] / ".hypothesis" / "examples")
_COMMON = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
_DATABASE = None if _IN_CI else _KEPT
settings.register_profile("dev", _COMMON, max_examples=EXAMPLES["dev"], derandomize=_IN_CI, database=_DATABASE)
settings.register_profile("ci", _COMMON, max_examples=EXAMPLES["ci"], derandomize=True)
settings.register_profile("deep", _COMMON, max_examples=EXAMPLES["deep"], derandomize=False, database=_KEPT)
settings.register_profile("replay", _COMMON, phases=(Phase.explicit, Phase.reuse), derandomize=False, database=_KEPT)
# Against a mutant: few examples, always the same, and nothing spent on the smallest one.
_PHASES = (Phase.explicit, Phase.generate)
settings.register_profile("mutants", _COMMON, max_examples=8, derandomize=True, phases=_PHASES, database=None)
# Against a planted bug: enough to find it in a minute, and nothing spent on the smallest example.
settings.register_profile("planted", _COMMON, max_examples=20, derandomize=True, phases=_PHASES, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one flag that writes golden files."""
    parser.addoption("--update-golden", action="store_true", help="write golden files anew; review them as a diff")


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Every async test and fixture on virtual time, but for those marked ``realtime``."""
    if item.get_closest_marker("realtime"):
        return {"real": asyncio.new_event_loop}
    return {"virtual": new_virtual_loop}


def _on_virtual_time() -> bool:
    try:
        return isinstance(asyncio.get_running_loop(), VirtualLoop)
    except RuntimeError:
        return False


@pytest.fixture(autouse=True)
def _no_real_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stops the thread of a loop whose time is virtual, fails the test: ours or a library."""
    really = time.sleep  # noqa: TID251 - to be refused

    def guarded(seconds: float) -> None:
        if _on_virtual_time():
            caller = sys._getframe(1)
            place = f"{Path(caller.f_code.co_filename).name}:{caller.f_lineno}"
            pytest.fail(f"a real sleep of {seconds:g} s on virtual time, at {place}; wait through a Clock")
        really(seconds)

    monkeypatch.setattr(time, "sleep", guarded)


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees a key, a setting or a proxy of the machine that it runs on."""
    for name in list(os.environ):
        if name.startswith(
            ("GITHUB_ACTIONS", "TZZR_", "RUNPOD_", "GRACE_", "HST_", "CONTEXT_")
        ) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def golden_difference(request: pytest.FixtureRequest) -> Callable[[Path, str], str]:
    """What a text has otherwise than a golden file, empty where nothing; ``--update-golden`` writes the file first."""

    def difference(path: Path, text: str) -> str:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if not path.exists():
            return f"{path} is not there; write it: pytest --update-golden"
        recorded = path.read_text(encoding="utf-8")
        lines = unified_diff(recorded.splitlines(keepends=True), text.splitlines(keepends=True), str(path), "now")
        return "" if text == recorded else "".join(["write it anew: pytest --update-golden\n", *lines])

    return difference
