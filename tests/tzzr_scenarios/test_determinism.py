"""The same seed gives the same trace, byte for byte: over runs, over processes, over hash seeds, over sockets."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.tzzr_scenarios.playing import play
from tzzr_mcp.seams import Event
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.served import serve
from tzzr_mocks.world import World
from tzzr_scenarios.stage import Stage
from tzzr_scenarios.story import story

BUSY = """given:
  faults:
    - grace: OCR_LOCAL is down
    - grace: first 2 calls fail with 503
    - { match: { service: hst }, effect: { kind: latency, seconds: 0.3 }, schedule: { probability: 0.5 }, optional: true }
steps:
  - parallel:
    - call: ocr
      with: { imagen_base64: { base64: documents/facturas/factura-luz.png } }
    - call: clasificar
      with: { texto: Factura de la luz }
    - call: buscar_tags
      with: { consulta: factura }
    - cancel: resumir
      with: { texto: Una frase. Otra frase. Y otra más. }
      after: 100ms
    - read: tzzr://servers/status
  - repeat: 3
    steps:
      - call: generar_hash
        with: { texto: hola }
"""


def digest_of(folder: Path, seed: int = 7) -> str:
    """The trace's digest of one busy scenario, which must pass."""
    result = play(folder, BUSY, seed)
    assert result.verdict == "passed", (result.problem, result.steps)
    return result.digest


@pytest.mark.slow
def test_fifty_runs_of_one_seed_give_one_trace(tmp_path: Path) -> None:
    assert len({digest_of(tmp_path) for _ in range(50)}) == 1


def test_another_seed_gives_other_ids_and_the_same_verdict(tmp_path: Path) -> None:
    assert len({digest_of(tmp_path, seed) for seed in range(5)}) == 5


INSIDE = """import os
from tests.tzzr_scenarios.test_determinism import digest_of

def test_inside(tmp_path):
    assert os.environ["PYTEST_XDIST_WORKER"] in ("gw0", "gw1")
    assert digest_of(tmp_path) == os.environ["DIGEST"]
"""


@pytest.mark.slow
def test_each_worker_of_xdist_gives_the_trace_that_this_process_gives(tmp_path: Path) -> None:
    (tmp_path / "test_inside.py").write_text(INSIDE)
    root = Path(__file__).parents[2]
    outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environ = {**outer, "PYTHONPATH": str(root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "xdist",
        "--dist",
        "each",
        "--tx",
        "2*popen",
        "test_inside.py",
    ]
    environ["DIGEST"] = digest_of(tmp_path)
    done = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "2 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_another_process_gives_the_same_trace(tmp_path: Path, hash_seed: str) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.tzzr_scenarios.test_determinism import digest_of;"
        "print(digest_of(Path(sys.argv[1])))"
    )
    root = Path(__file__).parents[2]
    environ = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, env=environ, cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == digest_of(tmp_path), done.stderr


def lines(trace: Iterable[Event]) -> list[str]:
    """A story without its times and without the polls of jobs: on real time nobody knows how many there will be."""
    told = [event for event in trace if "/status/" not in str(event.details.get("path"))]
    return [f"{line.source}>{line.target} {line.text} {line.mark}" for line in story(told)]


CALLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("generar_hash", {"texto": "hola"}),
    ("clasificar", {"texto": "Factura de la luz"}),
    ("obtener_tag", {"ref": "ES"}),
    ("clasificar", {}),
)


async def called(stage: Stage) -> list[str]:
    """The story of a few calls on a stage."""
    async with stage.client() as client:
        for tool, arguments in CALLS:
            await client.call_tool(tool, dict(arguments))
    return lines(stage.world.trace)


FAULTS = ("grace: first call fails with 503", "hst: first call fails with 503")


NEVER = "context: calls are refused after 10000000s optional"
"""A wire fault leads every request over the memory network, whether it ever acts or not."""


@pytest.mark.realtime
@pytest.mark.enable_socket
async def test_sockets_and_the_wire_give_the_story_that_the_direct_way_gives() -> None:
    world = World(7, time="real", faults=FAULTS)
    async with serve(world) as served:
        over_sockets = await called(Stage(world, served.environment, sockets=True))
    async with World(7, time="real", faults=FAULTS) as other:
        direct = await called(Stage(other))
    async with World(7, time="real", faults=[*FAULTS, NEVER]) as other:
        over_the_wire = await called(Stage(other))
    assert sum("503" in line for line in direct) >= 4
    assert over_sockets == direct
    assert over_the_wire == direct


def test_the_wire_gives_the_trace_of_the_direct_way_to_the_byte_on_virtual_time() -> None:
    async def digest(*faults: str) -> str:
        async with World(7, faults=[*FAULTS, *faults]) as world:
            await called(Stage(world))
            return world.trace.digest()

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        direct = runner.run(digest())
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        assert runner.run(digest(NEVER)) == direct
