"""The command: what it prints, what it refuses, which exit code it gives."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from pydantic import Field

from tests.tzzr_mcp.server.tiny import a_plugin, a_tool, echo
from tzzr_mcp import __version__
from tzzr_mcp.cli import main
from tzzr_mcp.plugins.api import PluginSettings
from tzzr_mcp.seams import Dice, Seams
from tzzr_mcp.server import TzzrServer
from tzzr_mcp.server.discovery import OFFLINE, PLUGINS

HERE = "tests.tzzr_mcp.test_cli"
tiny = a_plugin()


class OffSettings(PluginSettings):
    """Settings of a plugin that is installed and not enabled."""

    level: int = Field(1, alias="TZZR_OFF_LEVEL", description="the level")


off = a_plugin(a_tool(echo, name="off"), name="off", settings=OffSettings, resources=(), templates=(), prompts=())


@dataclass
class World:
    """An offline world that holds nothing but its key."""

    environment: dict[str, str] = field(default_factory=lambda: {"TINY_KEY": "key-of-the-fakes"})
    transport: str = "the way to the fakes"
    seams: Seams = field(default_factory=lambda: Seams(dice=Dice(7)))
    variables: tuple[str, ...] = ("TZZR_SEED",)


def a_world(environ: Mapping[str, str]) -> World:
    return World()


@pytest.fixture(autouse=True)
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[TzzrServer]]:
    """The servers that were served; entry points are those of this file, logging is put back."""
    known = {PLUGINS: {"tiny": f"{HERE}:tiny", "off": f"{HERE}:off"}, OFFLINE: {"fakes": f"{HERE}:a_world"}}
    servers: list[TzzrServer] = []

    async def serve(server: TzzrServer, stdin: int, stdout: int) -> int:
        servers.append(server)
        return 0

    def entry_points(group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in known[group].items()]

    monkeypatch.setattr("tzzr_mcp.server.discovery.entry_points", entry_points)
    monkeypatch.setattr("tzzr_mcp.server.launch.serve_stdio", serve)
    handlers, level = logging.root.handlers[:], logging.root.level
    logging.root.handlers[:] = []
    yield servers
    for handler in logging.root.handlers:
        handler.close()
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def run(capfd: pytest.CaptureFixture[str], *argv: str, **environ: str) -> tuple[int, str, str]:
    code = main(argv, {"TZZR_PLUGINS": "tiny", **environ})
    for handler in logging.root.handlers:
        handler.flush()
    told = capfd.readouterr()
    return code, told.out, told.err


def test_a_missing_key_is_two_lines_and_exit_code_78(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd)
    assert (code, out) == (78, "")
    assert err == (
        "mcp-server-tzzr: TINY_KEY is not set (needed by the plugin tiny).\n"
        "  Set it, or run offline: mcp-server-tzzr --offline\n"
    )


def test_with_its_key_the_server_is_served(capfd: pytest.CaptureFixture[str], served: list[TzzrServer]) -> None:
    code, out, err = run(capfd, TINY_KEY="swordfish")
    assert (code, out) == (0, "")
    assert "serving 1 tool of the plugin tiny over stdio" in err
    assert served[0].settings.core.offline is False
    assert "swordfish" not in err


@pytest.mark.parametrize("how", [(["--offline"], {}), ([], {"TZZR_OFFLINE": "1"})], ids=["option", "variable"])
def test_offline_needs_no_key_and_stands_on_the_world_s_seams_and_transport(
    capfd: pytest.CaptureFixture[str], served: list[TzzrServer], how: tuple[list[str], dict[str, str]]
) -> None:
    argv, environ = how
    code, _, err = run(capfd, *argv, **environ)
    assert code == 0
    assert "offline: answers come from the built-in fakes" in err
    assert "not used" not in err
    assert served[0].runtime.seams.dice.seed == 7
    openings: Any = served[0].runtime.lifespans
    assert openings._openings["tiny"].transport == "the way to the fakes"


def test_offline_the_log_says_that_real_keys_are_not_used(
    capfd: pytest.CaptureFixture[str], served: list[TzzrServer]
) -> None:
    _, _, err = run(capfd, "--offline", TINY_KEY="swordfish")
    assert "offline: TINY_KEY is not used" in err
    assert "swordfish" not in err
    assert served[0].settings.secrets() == {"key-of-the-fakes"}


def test_unknown_variables_are_warned_of_and_those_of_plugins_that_are_off_are_not(
    capfd: pytest.CaptureFixture[str],
) -> None:
    _, _, err = run(capfd, TINY_KEY="k", TZZR_OFF_LEVEL="2")
    assert "TZZR_OFF_LEVEL" not in err
    _, _, err = run(capfd, TINY_KEY="k", TZZR_OFLINE="1")
    assert "TZZR_OFLINE is set, but is no setting of this server; did you mean TZZR_OFFLINE?" in err


def test_the_offline_world_s_own_variables_are_no_mistakes_offline(capfd: pytest.CaptureFixture[str]) -> None:
    assert "TZZR_SEED" not in run(capfd, "--offline", TZZR_SEED="7")[2]
    assert "TZZR_SEED is set, but is no setting" in run(capfd, TINY_KEY="k", TZZR_SEED="7")[2]


def test_logs_can_be_json(capfd: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capfd, TINY_KEY="k", TZZR_LOG_FORMAT="json")
    assert err.startswith('{"time": ')


def test_an_unknown_plugin_is_refused_with_the_nearest(capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capfd, TZZR_PLUGINS="tinny")
    assert code == 78
    assert err == (
        "mcp-server-tzzr: TZZR_PLUGINS names 'tinny', which is no plugin; did you mean tiny?\n"
        "  Installed are off and tiny.\n"
    )


def test_the_plugins_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "--list-plugins")
    assert code == 0
    assert out == (
        "PLUGIN           BRINGS                         DESCRIPTION\n"
        "tiny    enabled  1 tool, 2 resources, 1 prompt  Pruebas.\n"
        "off     off      1 tool                         Pruebas.\n"
    )


def test_the_settings_are_listed_and_no_secret_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "--settings", TINY_KEY="swordfish", TINY_SIZE="4")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()}
    assert code == 0
    assert rows["TINY_KEY"] == ["tiny", "set", "required", "the", "key"]
    assert rows["TINY_SIZE"][:4] == ["tiny", "4", "3", "the"]
    assert rows["TZZR_OFF_LEVEL"][:5] == ["off", "(off)", "not", "set", "1"]
    assert rows["TZZR_HTTP_TOKEN"][:3] == ["not", "set", "-"]
    assert "swordfish" not in out


def test_version_and_help_answer_without_a_server(capfd: pytest.CaptureFixture[str]) -> None:
    for option, told in (("--version", f"mcp-server-tzzr {__version__}\n"), ("--help", "--offline")):
        with pytest.raises(SystemExit) as caught:
            main([option], {})
        assert caught.value.code == 0
        assert told in capfd.readouterr().out


def test_a_wrong_option_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--offlin3"], {})
    assert caught.value.code == 2
    assert "unrecognized arguments: --offlin3" in capfd.readouterr().err
