"""The plugin in somebody else's repository, which has its own ``mocks`` package and conftest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
FILES = {
    "mocks/__init__.py": "WHOSE = 'theirs'\n",
    "scenarios/__init__.py": "",
    "conftest.py": "import pytest\n@pytest.fixture\ndef own():\n    return 1\n",
    "pytest.ini": "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\nfilterwarnings = error\n",
    "test_theirs.py": """
import asyncio
import pytest
import mocks

@pytest.mark.tzzr(seed=3, faults=["grace: first call fails with 503"])
async def test_with_a_world(tzzr, own):
    async with tzzr.client() as client:
        result = await client.call_tool("generar_hash", {"texto": "hola"})
    assert not result.is_error
    tzzr.grace.saw("POST /run", times=2)

async def test_without_one():
    assert type(asyncio.get_running_loop()).__name__ != "VirtualLoop"
    assert mocks.WHOSE == "theirs"

async def test_that_fails(tzzr):
    async with tzzr.client() as client:
        tools = await client.list_tools()
    tzzr.grace.saw("POST /run")
""",
    "passes.scenario.yaml": """
scenario: A hash is computed in somebody else's repository
steps:
  - call: generar_hash
    with: { texto: hola }
    expect: { data: { size_bytes: 4 } }
""",
    "fails.scenario.yaml": """
scenario: This one expects the wrong size
steps:
  - call: generar_hash
    with: { texto: hola }
    expect: { data: { size_bytes: 5 } }
""",
    "wrong.scenario.yaml": "scenario: This file is wrong\nstps: []\n",
}


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What one pytest run in such a repository prints."""
    folder = tmp_path_factory.mktemp("theirs")
    for name, text in FILES.items():
        path = Path(folder, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environ, check=False, timeout=300)
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "test_theirs.py::test_with_a_world PASSED",
        "test_theirs.py::test_without_one PASSED",
        "test_theirs.py::test_that_fails FAILED",
        "passes.scenario.yaml::passes PASSED",
        "fails.scenario.yaml::fails FAILED",
        "seed 7; again with --tzzr-seed 7",
        "expected  5",
        '"stps" is not a key of a scenario; did you mean "steps"?',
        "no request arrived",
    ],
)
def test_a_foreign_run_says(output: str, line: str) -> None:
    assert line in output, output


def test_a_file_is_told_without_a_traceback(output: str) -> None:
    assert "wrong.scenario.yaml:2:1" in output
    assert "pydantic" not in output
