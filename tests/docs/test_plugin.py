"""The page about plugins, followed to the letter: what it writes is written, what it prints is printed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import Command, blocks, commands, run, says
from tests.tzzr_scenarios.commands.installing import importable, install
from tzzr_mcp.cli import main as server_main

PAGE = Path(__file__).parents[2] / "docs" / "plugin.md"
NEW, *CALLS = commands(PAGE)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin as the page makes it."""
    with contextlib.chdir(tmp_path_factory.mktemp("page")):
        code, printed = run(NEW)
        assert (code, says(printed, NEW.printed)) == (0, True), printed
        project = Path("energia").absolute()
    package = project / "tzzr_plugin_energia"
    (about,), (figures,) = blocks(PAGE, "python"), blocks(PAGE, "csv")
    (package / "about.py").write_text(about, encoding="utf-8")
    (package / "datos.csv").write_text(figures, encoding="utf-8")
    return project


@pytest.fixture(scope="module")
def site(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where it is installed; it can be imported."""
    site = install(project, tmp_path_factory.mktemp("site"))
    with importable(site):
        yield site


@pytest.mark.parametrize("command", CALLS, ids=lambda command: " ".join(command.words)[:60])
def test_a_command_prints_what_the_page_says(command: Command, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    code, printed = run(command)
    assert code == 0, printed
    assert says(printed, command.printed), printed


def test_the_page_says_how_a_tool_without_source_is_refused(project: Path, tmp_path: Path) -> None:
    declarations = project / "tzzr_plugin_energia" / "__init__.py"
    right = declarations.read_text()
    try:
        declarations.write_text(right.replace('    source=DeclaredSource(SOURCE_NAME, "dataset"),\n', ""))
        site = install(project, tmp_path)
    finally:
        declarations.write_text(right)
    told = io.StringIO()
    with importable(site), contextlib.redirect_stderr(told):
        assert server_main([], {"TZZR_PLUGINS": "energia"}) == 78
    assert [told.getvalue()] == blocks(PAGE, "text")


def test_the_client_configuration_starts_the_server_with_it() -> None:
    (block,) = blocks(PAGE, "json")
    assert json.loads(block)["mcpServers"]["energia"]["env"] == {"TZZR_PLUGINS": "system,energia"}


def test_the_page_shows_the_template_s_own_file_but_for_what_is_said() -> None:
    """Whoever compares the block with the file that was written finds the same names in the same order."""
    (about,) = blocks(PAGE, "python")
    template = PAGE.parents[1] / "scenarios/tzzr_scenarios/templates/plugin/tzzr_plugin_@NAME@/about.py.txt"
    names = [
        [line.split(":")[0] for line in text.splitlines() if ": Final" in line]
        for text in (about, template.read_text())
    ]
    assert names[0] == names[1]


@pytest.mark.slow
@pytest.mark.realtime
def test_the_plugin_s_own_tests_pass_on_the_page_s_figures(project: Path, site: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environ = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=project, env=environ, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_link_and_file_that_the_page_names_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = {word for word in text.replace("`", " ").split() if word.startswith("tzzr_mcp/")}
    assert named
    assert [name for name in sorted(named) if not (PAGE.parents[1] / name.rstrip(":")).exists()] == []
    assert (PAGE.parent / "apps.md").exists()
