"""Nobody sleeps for real while time is virtual: the linter refuses what it can read, the guard of the tests the rest."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tzzr_mcp.seams import SystemClock

ROOT = Path(__file__).parents[1]
RUFF = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
SPELLINGS = (
    "import asyncio\n\nasync def wait() -> None:\n    await asyncio.sleep(1)\n",
    "import anyio\n\nasync def wait() -> None:\n    await anyio.sleep(1)\n",
    "import time\n\ndef wait() -> None:\n    time.sleep(1)\n",
    "from time import sleep as rest\n\ndef wait() -> None:\n    rest(1)\n",
    "from asyncio import sleep\n\nwaiting = sleep\n",
    "import time as t\n\nbegun = t.monotonic()\n",
    "from datetime import datetime\n\nbegun = datetime.now()\n",
)


def slept() -> float:
    """How long a sleep of 1 ms took, as a library sleeps."""
    begun = time.monotonic()  # noqa: TID251 - the machine's time is what is measured
    time.sleep(0.001)  # noqa: TID251
    return time.monotonic() - begun  # noqa: TID251


@pytest.mark.skipif(RUFF is None, reason="ruff is not installed here; CI's session lint runs it")
@pytest.mark.parametrize("place", ["tzzr_mcp/services/new.py", "mocks/tzzr_mocks/new.py", "tests/tzzr_mcp/test_new.py"])
def test_the_linter_refuses_a_sleep_and_a_look_at_the_machine_s_clock_however_they_are_spelled(place: str) -> None:
    for text in SPELLINGS:
        command = [str(RUFF), "check", "--select", "TID251", "--stdin-filename", str(ROOT / place), "-"]
        checked = subprocess.run(command, input=text, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (checked.returncode, "TID251" in checked.stdout) == (1, True), text


async def test_a_real_sleep_fails_a_test_on_virtual_time() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"a real sleep of 0.01 s .* test_real_sleep.py:\d+"):
        time.sleep(0.01)  # noqa: ASYNC251, TID251 - this is what the guard must see


async def test_a_wait_on_the_clock_and_a_sleep_in_a_thread_are_none() -> None:
    begun = asyncio.get_running_loop().time()
    await SystemClock().sleep(3600)
    assert asyncio.get_running_loop().time() - begun == 3600
    assert await asyncio.to_thread(slept) >= 0.001  # a thread's own time, which the loop waits for


@pytest.mark.realtime
async def test_a_test_on_real_time_may_sleep() -> None:
    assert slept() >= 0.001


def test_a_test_without_a_loop_may_sleep() -> None:
    assert slept() >= 0.001
