"""Scenarios against real services: fakes on ports stand for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tzzr_scenarios.playing import HEAD
from tzzr_mocks.served import serve
from tzzr_mocks.world import World
from tzzr_scenarios import live
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED, main
from tzzr_scenarios.language.load import load

STEPS = """steps:
  - call: generar_hash
    with: { texto: hola }
    expect: { data: { size_bytes: %d }, source: { name: GRACE/HASHER, simulated: false } }
    upstream: { grace: [] }
after: { computed: { HASHER: 5 } }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "x.scenario.yaml"
    path.write_text(f"{HEAD}{text}", encoding="utf-8")
    return path


@pytest.fixture
def services() -> Iterator[dict[str, str]]:
    """The addresses and keys of services on ports, served in a thread of their own."""
    ready, over = threading.Event(), asyncio.Event()
    told: dict[str, str] = {}
    loop = asyncio.new_event_loop()

    async def serving() -> None:
        async with serve(World(3, time="real")) as fakes:
            told.update(fakes.environment)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serving()))
    thread.start()
    assert ready.wait(60)
    yield told
    loop.call_soon_threadsafe(over.set)
    thread.join(60)
    loop.close()


@pytest.mark.enable_socket
def test_the_real_services_are_asked_and_what_only_fakes_tell_is_not_held(
    tmp_path: Path, services: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in services.items():
        monkeypatch.setenv(name, value)
    assert main(["run", "--live", str(written(tmp_path, STEPS % 4))]) == PASSED
    out, err = capsys.readouterr()
    assert "1 scenario, 1 passed" in out
    assert f"asking GRACE at {services['GRACE_BASE_URL']}" in err
    assert main(["run", "--live", str(written(tmp_path, STEPS % 5))]) == FAILED
    assert "--live" in capsys.readouterr().out


def test_missing_variables_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--live", str(written(tmp_path, STEPS % 4))]) == COULD_NOT_RUN
    err = capsys.readouterr().err
    assert "RUNPOD_API_KEY" in err
    assert "HST_TOKEN" in err


def test_the_whole_catalogue_is_never_asked_of_real_services(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--live"]) == COULD_NOT_RUN
    assert "name the files or folders" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('given: { faults: ["hst: is down"] }\nsteps: [{ list: tools }]', "injects faults"),
        ('steps: [{ inject: "hst: is down" }, { list: tools }]', "injects faults"),
        ("steps: [{ snapshot: copia }, { list: tools }]", "takes snapshots"),
        ("given: { world: recorded }\nsteps: [{ list: tools }]", "begins in the world 'recorded'"),
        ("given: { settings: { HST_TOKEN: x } }\nsteps: [{ list: tools }]", "sets HST_TOKEN"),
        ("steps: [{ repeat: 2, steps: [{ advance: 6s }] }]", "lets 6 s pass"),
        ("given: { settings: { TZZR_MAX_CALLS: 2 } }\nsteps: [{ advance: 5s }]", ""),
    ],
)
def test_what_only_the_fakes_can_play_is_skipped_with_the_reason(tmp_path: Path, text: str, told: str) -> None:
    reason = live.unfit(load(written(tmp_path, text)).scenario)
    assert reason.startswith(told)
    assert bool(reason) == bool(told)


def test_a_key_of_the_environment_is_a_secret_of_the_run() -> None:
    assert live.secrets({"RUNPOD_API_KEY": "rpa_12345", "HST_TOKEN": "x", "PATH": "/bin/long"}) == {"rpa_12345"}
