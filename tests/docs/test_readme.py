"""Every block of the README runs, and prints what the README says."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.docs.blocks import Command, blocks, commands, run, says
from tzzr_scenarios import runner
from tzzr_scenarios.language.load import load

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


@pytest.mark.parametrize("command", list(commands(README)), ids=lambda command: " ".join(command.words)[:60])
def test_a_command_prints_what_the_readme_says(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "120")
    code, printed = run(command)
    assert code == (78 if command.words == ("mcp-server-tzzr",) else 0), printed
    assert says(printed, command.printed), printed


def test_the_scenario_block_passes_and_can_fail(tmp_path: Path) -> None:
    (block,) = blocks(README, "yaml")
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(block)
    bad.write_text(block.replace("OCR_GROQ ✓", "OCR_OPENAI ✓"))
    assert runner.run_one(load(good), runner.Settings()).verdict == "passed"
    assert runner.run_one(load(bad), runner.Settings()).verdict == "failed"


@pytest.mark.slow
def test_the_python_block_is_a_test_that_passes(tmp_path: Path) -> None:
    (block,) = blocks(README, "python")
    ast.parse(block)
    (tmp_path / "test_block.py").write_text(block)
    ini = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n"
    (tmp_path / "pytest.ini").write_text(ini)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert "1 passed" in done.stdout, done.stdout


def test_the_client_configuration_names_a_command_that_is_installed() -> None:
    (block,) = blocks(README, "json")
    (server,) = json.loads(block)["mcpServers"].values()
    assert server["command"] in {point.name for point in entry_points(group="console_scripts")}


def test_every_link_of_the_readme_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_ci_begins_with_the_two_commands_of_the_readme() -> None:
    block = blocks(README, "console")[0]
    first, second = (line.removeprefix("$ ") for line in block.strip().splitlines())
    script = (ROOT / ".ci" / "run").read_text()
    assert first in script
    assert second in script
    assert script.index(first) < script.index(second)
