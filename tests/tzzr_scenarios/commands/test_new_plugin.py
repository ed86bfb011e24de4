"""``tzzr new plugin``: what it writes installs, passes its own tests, and is served, drawn and chatted with unchanged."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from tests.tzzr_mcp.gateway.scripted import ScriptedModel, a_gateway, asks, says
from tests.tzzr_scenarios.commands.installing import importable, install
from tzzr_mcp.cli import main as server_main
from tzzr_mcp.gateway.events import Message
from tzzr_mcp.server import build_server, discover
from tzzr_scenarios.cli import COULD_NOT_RUN, PASSED, main

ROWS: list[list[float | None]] = [
    [2019, 120.5, 98],
    [2020, 101, 90.25],
    [2021, 118, 95],
    [2022, 127.5, None],
    [2023, 131, 104.5],
    [2024, 140, 110],
]
"""What is in the file that the command writes."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plugin as it is written."""
    folder = tmp_path_factory.mktemp("plugins")
    assert main(["new", "plugin", "mareas", "--into", str(folder)]) == PASSED
    return folder / "mareas"


@pytest.fixture(scope="module")
def site(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is installed."""
    return install(project, tmp_path_factory.mktemp("site"))


@pytest.fixture
def installed(site: Path) -> Iterator[None]:
    """It can be imported in this process."""
    with importable(site):
        yield


def changed(project: Path, folder: Path, file: str, before: str, after: str) -> Path:
    """A copy of the package with one change, installed."""
    copy = folder / "copy"
    for path in (path for path in project.rglob("*") if path.is_file()):
        target = copy / path.relative_to(project)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    text = (copy / "tzzr_plugin_mareas" / file).read_text()
    assert before in text
    (copy / "tzzr_plugin_mareas" / file).write_text(text.replace(before, after))
    return install(copy, folder / "site")


def test_what_is_written_is_named_after_the_plugin_throughout(project: Path) -> None:
    files = {str(path.relative_to(project)): path.read_text() for path in project.rglob("*") if path.is_file()}
    assert {"pyproject.toml", "README.md", "tests/test_mareas.py", "tzzr_plugin_mareas/datos.csv"} <= set(files)
    assert [name for name, text in files.items() if "@" in name or "@NAME@" in text or name.endswith(".txt")] == []


@pytest.mark.slow
@pytest.mark.realtime
def test_it_passes_its_own_tests(project: Path, site: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environ = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=project, env=environ, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


@pytest.mark.slow
@pytest.mark.realtime
async def test_a_process_serves_it_alone_with_no_key(site: Path) -> None:
    environ = {"TZZR_PLUGINS": "mareas", "PYTHONPATH": str(site), "PATH": os.environ["PATH"]}
    process = StdioServerParameters(command=sys.executable, args=["-m", "tzzr_mcp"], env=environ)
    async with Client(process) as client:
        (tool,) = (await client.list_tools()).tools
        result = await client.call_tool(tool.name, {})
    assert (tool.name, (tool.meta or {})["tzzr/plugin"]) == ("consultar_mareas", "mareas")
    assert result.structured_content is not None
    assert result.structured_content["tables"][0]["rows"] == ROWS
    assert result.structured_content["source"]["name"] == "Datos de ejemplo de mareas"


@pytest.mark.usefixtures("installed")
async def test_the_gateway_draws_it_and_its_figures_pass_no_model() -> None:
    model = ScriptedModel([asks("consultar_mareas"), says("Suben.")])
    async with a_gateway(model, server=build_server(discover("mareas"), {})) as gateway:
        events = [event async for event in gateway.turn([Message(role="user", content="¿Cómo van las mareas?")])]
    (table,) = [event.table for event in events if event.type == "table"]
    (chart,) = [event.chart for event in events if event.type == "chart"]
    assert [list(row) for row in table.rows] == ROWS
    assert chart.table == table.id
    cells = [str(cell) for _, *series in ROWS for cell in series if cell is not None]
    read = model.seen[-1].text
    assert [cell for cell in cells if cell in read or cell.replace(".", ",") in read] == []
    assert "99,55 t de media" in read


@pytest.mark.usefixtures("installed")
def test_tzzr_call_prints_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "--plugins", "mareas", "consultar_mareas", "desde=2023", "--tables"]) == PASSED
    out = capsys.readouterr().out
    assert "Las cifras son un ejemplo inventado." in out
    assert "104.5" in out
    assert "2022" not in out


def test_a_plugin_that_is_not_installed_is_told_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "--plugins", "financ", "clasificar"]) == COULD_NOT_RUN
    assert "'financ', which is no plugin; did you mean finance?" in capsys.readouterr().err


def test_a_tool_without_source_keeps_the_server_from_starting(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = changed(project, tmp_path, "__init__.py", '    source=DeclaredSource(SOURCE_NAME, "dataset"),\n', "")
    with importable(site):
        code = server_main([], {"TZZR_PLUGINS": "mareas"})
    told = capsys.readouterr().err
    assert code == 78
    assert "plugin mareas, tool consultar_mareas: it declares no source" in told
    assert "give it source=DeclaredSource(name, kind)" in told


async def test_a_text_that_repeats_the_table_is_not_shown(tmp_path: Path) -> None:
    assert main(["new", "plugin", "olas", "--into", str(tmp_path)]) == PASSED
    package = tmp_path / "olas" / "tzzr_plugin_olas"
    years = "".join(f"{year},{year / 7:.2f},{year / 9:.2f}\n" for year in range(1990, 2010))
    (package / "datos.csv").write_text(f"anio,norte,sur\n{years}")
    (package / "tool.py").write_text(
        (package / "tool.py").read_text().replace('text=f"', 'text="\\n".join(map(str, chosen)) + f"')
    )
    with importable(install(tmp_path / "olas", tmp_path / "site")):
        server = build_server(discover("olas"), {})
        async with server, Client(server.mcp, cache=None) as client:
            few = await client.call_tool("consultar_olas", {"desde": 2000})
            all_of_it = await client.call_tool("consultar_olas", {})
    assert not few.is_error
    assert all_of_it.is_error
    assert all_of_it.structured_content is None
    assert "su texto repite 20 filas de la tabla «Datos de olas»" in getattr(all_of_it.content[0], "text", "")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("anio,norte,sur", "anio,norte"), "begins with ['anio', 'norte'], about.py says ['anio', 'norte', 'sur']"),
        (("2020,101,90.25", "2020,101"), "line 3: 2 cells for 3 columns"),
        (("2020,101", "2020,ciento uno"), "line 3, norte: 'ciento uno' is no number"),
        (("2020,101", "2020,inf"), "line 3, norte: 'inf' is no number"),
        (("2020,101", ",101"), "line 3: '' is no year"),
    ],
)
def test_a_wrong_file_is_told_with_line_and_column(
    project: Path, tmp_path: Path, change: tuple[str, str], told: str
) -> None:
    with importable(changed(project, tmp_path, "datos.csv", *change)):
        dataset = importlib.import_module("tzzr_plugin_mareas.dataset")
        with pytest.raises(dataset.DatasetError) as caught:
            dataset.rows()
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Energía solar", "for example energia_solar"),
        ("2024", "a lower-case letter, then up to 29"),
        ("../fuera", "for example fuera"),
        ("", "cannot name a plugin"),
        ("x" * 31, f"for example {'x' * 30}"),
        ("finance", "a plugin 'finance' is installed already"),
    ],
)
def test_a_name_that_will_not_do_is_refused_with_one_that_will(
    name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "plugin", name, "--into", str(tmp_path)]) == COULD_NOT_RUN
    assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_is_there_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "mareas" / "notas.txt"
    kept.parent.mkdir()
    kept.write_text("mías")
    assert main(["new", "plugin", "mareas", "--into", str(tmp_path)]) == COULD_NOT_RUN
    assert "is there already, and nothing was written" in capsys.readouterr().err
    assert [path.name for path in kept.parent.iterdir()] == ["notas.txt"]
    assert kept.read_text() == "mías"


def test_an_empty_folder_is_taken_and_a_link_is_not(tmp_path: Path) -> None:
    (tmp_path / "mareas").mkdir()
    (tmp_path / "olas").symlink_to(tmp_path / "elsewhere")
    assert main(["new", "plugin", "mareas", "--into", str(tmp_path)]) == PASSED
    assert main(["new", "plugin", "olas", "--into", str(tmp_path)]) == COULD_NOT_RUN
    assert not (tmp_path / "elsewhere").exists()


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["new", "plugin", "mareas", "--into", str(tmp_path / "file")]) == COULD_NOT_RUN
    assert "tzzr new plugin: " in capsys.readouterr().err
