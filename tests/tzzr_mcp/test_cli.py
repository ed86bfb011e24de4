"""The command: what it prints, what it refuses, which exit code it gives."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from typing import Any

import pytest
from pydantic import Field, SecretStr

from tests.tzzr_mcp.server.tiny import a_plugin, a_tool, echo
from tzzr_mcp import __version__
from tzzr_mcp.cli import main
from tzzr_mcp.plugins.api import PluginSettings
from tzzr_mcp.seams import Dice, Seams
from tzzr_mcp.server import TzzrServer
from tzzr_mcp.server.discovery import OFFLINE, PLUGINS
from tzzr_mcp.server.transports.how import How

HERE = "tests.tzzr_mcp.test_cli"
tiny = a_plugin()


class OffSettings(PluginSettings):
    """Settings of a plugin that is installed and not enabled."""

    level: int = Field(1, alias="TZZR_OFF_LEVEL", description="the level")
    token: SecretStr = Field(SecretStr("swordfish"), alias="TZZR_OFF_TOKEN", description="the token")
    bare: str | None = Field(None, alias="TZZR_OFF_BARE")


off = a_plugin(a_tool(echo, name="off"), name="off", settings=OffSettings, resources=(), templates=(), prompts=())


@dataclass
class World:
    """An offline world that holds nothing but its key."""

    environment: dict[str, str] = field(default_factory=lambda: {"TINY_KEY": "key-of-the-fakes"})
    transport: str = "the way to the fakes"
    seams: Seams = field(default_factory=lambda: Seams(dice=Dice(7)))
    variables: tuple[str, ...] = ("TZZR_SEED",)


def a_world(environ: Mapping[str, str]) -> World:
    return World(seams=Seams(dice=Dice(environ.get("TZZR_SEED", 7))))


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


def logged(err: str) -> list[str]:
    """The log's lines without their time."""
    return [line.partition(" ")[2] for line in err.splitlines()]


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
    assert logged(err) == ["INFO tzzr_mcp.server.launch: serving 1 tool of the plugin tiny over stdio"]
    assert served[0].settings.core.offline is False
    assert "swordfish" not in err


def test_the_server_meets_its_client_over_descriptors_of_its_own(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def serve(server: TzzrServer, stdin: int, stdout: int) -> int:
        os.write(stdout, b"wire")
        return os.dup(stdin)

    monkeypatch.setattr("tzzr_mcp.server.launch.serve_stdio", serve)
    code, out, _ = run(capfd, TINY_KEY="k")
    assert out == "wire"
    assert os.path.sameopenfile(code, 0)
    os.close(code)


def test_every_tool_and_plugin_is_counted_when_there_are_several(capfd: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capfd, TZZR_PLUGINS="tiny,off", TINY_KEY="k")
    assert logged(err) == ["INFO tzzr_mcp.server.launch: serving 2 tools of the plugins tiny, off over stdio"]


@pytest.mark.parametrize(
    ("argv", "environ", "offline"),
    [([], {"TINY_KEY": "k"}, False), (["--offline"], {}, True), ([], {"TZZR_OFFLINE": "1"}, True)],
    ids=["with a key", "offline by option", "offline by variable"],
)
def test_over_http_the_same_server_is_served_by_what_serves_http(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    argv: list[str],
    environ: dict[str, str],
    offline: bool,
) -> None:
    seen: list[tuple[TzzrServer, How, Mapping[str, str]]] = []

    def serve(server: TzzrServer, how: How, environ: Mapping[str, str]) -> int:
        seen.append((server, how, environ))
        return 7

    monkeypatch.setattr("tzzr_mcp.server.transports.web.serve", serve)
    code, _, err = run(capfd, *argv, "--transport", "http,sse", "--workers", "2", **environ)
    ((server, how, given),) = seen
    assert (code, how.workers, given["TZZR_TRANSPORT"]) == (7, 2, "http,sse")
    assert server.settings.secrets() == {"key-of-the-fakes" if offline else "k"}
    assert "serving 1 tool of the plugin tiny over http and sse" in err
    assert ("offline: " in err) is offline


@pytest.mark.parametrize("how", [(["--offline"], {}), ([], {"TZZR_OFFLINE": "1"})], ids=["option", "variable"])
def test_offline_needs_no_key_and_stands_on_the_world_s_seams_and_transport(
    capfd: pytest.CaptureFixture[str], served: list[TzzrServer], how: tuple[list[str], dict[str, str]]
) -> None:
    argv, environ = how
    code, _, err = run(capfd, *argv, TZZR_SEED="9", **environ)
    assert code == 0
    assert logged(err) == [
        "INFO tzzr_mcp.server.launch: offline: answers come from the built-in fakes and are marked as simulated",
        "INFO tzzr_mcp.server.launch: serving 1 tool of the plugin tiny over stdio",
    ]
    assert served[0].runtime.seams.dice.seed == "9"
    openings: Any = served[0].runtime.lifespans
    assert openings._openings["tiny"].transport == "the way to the fakes"


def test_offline_the_log_says_that_real_keys_are_not_used(
    capfd: pytest.CaptureFixture[str], served: list[TzzrServer]
) -> None:
    _, _, err = run(capfd, "--offline", TINY_KEY="swordfish")
    assert "WARNING tzzr_mcp.server.launch: offline: TINY_KEY is not used" in logged(err)
    assert "swordfish" not in err
    assert served[0].settings.secrets() == {"key-of-the-fakes"}


def test_offline_several_that_are_not_used_are_told_together(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {"TINY_KEY": "key-of-the-fakes", "TINY_SIZE": "3"}
    monkeypatch.setattr(f"{HERE}.a_world", lambda environ: World(environment=keys))
    _, _, err = run(capfd, "--offline", TINY_KEY="swordfish", TINY_SIZE="4")
    assert "WARNING tzzr_mcp.server.launch: offline: TINY_KEY and TINY_SIZE are not used" in logged(err)


def test_unknown_variables_are_warned_of_and_those_of_plugins_that_are_off_are_not(
    capfd: pytest.CaptureFixture[str],
) -> None:
    _, _, err = run(capfd, TINY_KEY="k", TZZR_OFF_LEVEL="2")
    assert "TZZR_OFF_LEVEL" not in err
    _, _, err = run(capfd, TINY_KEY="k", TZZR_OFLINE="1", TZZR_OFF_LEVEL="2")
    told = "TZZR_OFLINE is set, but is no setting of this server; did you mean TZZR_OFFLINE?"
    assert logged(err)[:-1] == [f"WARNING tzzr_mcp.server.launch: {told}"]


def test_plugins_that_are_off_are_left_alone_where_every_variable_is_known(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> frozenset[str]:
        raise AssertionError("nobody needs to know what other plugins read")

    monkeypatch.setattr("tzzr_mcp.server.launch.known_variables", asked)
    code, _, _ = run(capfd, "--offline", TINY_SIZE="4", TZZR_SEED="7", TZZR_MAX_CALLS="9")
    assert code == 0


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
    assert out.splitlines()[0].split() == ["VARIABLE", "PLUGIN", "NOW", "DEFAULT", "DESCRIPTION"]
    assert rows["TINY_KEY"] == ["tiny", "set", "required", "the", "key"]
    assert rows["TINY_SIZE"][:4] == ["tiny", "4", "3", "the"]
    assert rows["TZZR_OFF_LEVEL"][:5] == ["off", "(off)", "not", "set", "1"]
    assert rows["TZZR_OFF_BARE"] == ["off", "(off)", "not", "set", "-"]
    assert rows["TZZR_OFF_TOKEN"] == ["off", "(off)", "not", "set", "-", "the", "token"]
    assert rows["TZZR_HTTP_TOKEN"][:3] == ["not", "set", "-"]
    assert "swordfish" not in out


@pytest.mark.parametrize("plugins", ["off,tiny", " off , tiny"])
def test_several_plugins_are_enabled_by_a_list(capfd: pytest.CaptureFixture[str], plugins: str) -> None:
    code, out, _ = run(capfd, "--list-plugins", TZZR_PLUGINS=plugins)
    assert code == 0
    assert [line.split()[1] for line in out.splitlines()[1:]] == ["enabled", "enabled"]


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
