from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import httpx
import pytest

from tests.tzzr_mocks.small import expect_refusal
from tzzr_mocks import offline
from tzzr_mocks.addresses import ENVIRONMENT
from tzzr_mocks.offline import open_offline

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("fastapi", "starlette", "httpx", "uvicorn", "numpy", "pydantic", "tzzr_mocks.world", "tzzr_mocks.grace")


def loaded_after(*lines: str) -> list[str]:
    """Which of the heavy modules a fresh interpreter has loaded after these lines."""
    report = f"import sys; print(','.join(name for name in {HEAVY!r} if name in sys.modules))"
    program = "\n".join([*lines, report])
    path = os.pathsep.join([str(ROOT), str(ROOT / "mocks")])
    environ = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.strip().split(",") if name]


def test_opening_costs_nothing_that_the_first_answer_does_not_need() -> None:
    assert loaded_after("from tzzr_mocks.offline import open_offline", "open_offline({})") == []


async def test_the_world_is_built_at_the_first_request_and_answers() -> None:
    offline = open_offline({"TZZR_SEED": "7", "TZZR_FAULTS": "context: first call fails with 503; hst: is down"})
    async with httpx.AsyncClient(transport=offline.transport) as client:  # type: ignore[arg-type]  # all but in ancestry
        url = f"{offline.environment['CONTEXT_BASE_URL']}/v1/agents/alfred/context"
        statuses = [(await client.get(url)).status_code for _ in range(2)]
        with pytest.raises(httpx.ConnectError):
            await client.get(offline.environment["HST_BASE_URL"])

    assert statuses == [503, 200]
    assert offline.environment == ENVIRONMENT


def test_a_seed_gives_the_same_ids_and_none_gives_others() -> None:
    drawn = [str(open_offline({"TZZR_SEED": seed}).seams.dice.uuid4()) for seed in ("7", "7", "8", "", "")]

    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 4


def test_a_seed_that_is_no_number_and_a_fault_that_cannot_be_are_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match="TZZR_SEED='seven' is not a whole number"):
        open_offline({"TZZR_SEED": "seven"})
    with expect_refusal("unknown module of grace 'OCR_LOCL'", "'OCR_LOCAL'"):
        open_offline({"TZZR_FAULTS": "grace: OCR_LOCL is down"})


@pytest.mark.parametrize("missing", offline.NEEDED)
def test_without_the_extra_the_world_is_not_opened_to_fail_at_every_call(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline, "find_spec", lambda name: None if name == missing else object())
    with pytest.raises(ModuleNotFoundError) as caught:
        open_offline({})
    assert caught.value.name == missing


def test_all_that_the_world_needs_is_in_the_extra() -> None:
    requirements = metadata.requires("mcp-server-tzzr") or []
    extra = {
        re.split(r"[^\w-]", line)[0].lower() for line in requirements if 'extra == "harness"' in line.replace("'", '"')
    }
    brought = metadata.packages_distributions()
    assert [name for name in offline.NEEDED if not {dist.lower() for dist in brought[name]} & extra] == []


def test_the_variables_that_shape_the_world_are_named_so_that_no_server_warns_of_them() -> None:
    assert open_offline({}).variables == ("TZZR_SEED", "TZZR_FAULTS")
