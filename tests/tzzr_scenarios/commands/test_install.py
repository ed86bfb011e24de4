"""``tzzr install``: the server in a client's file, and nothing else of it changed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_scenarios.cli import main
from tzzr_scenarios.commands import install

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "mcp.json"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["install", *words])
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.mark.parametrize(
    ("client", "key", "kind"),
    [
        ("claude-desktop", "mcpServers", {}),
        ("cursor", "mcpServers", {}),
        ("vscode", "servers", {"type": "stdio"}),
        ("claude-code", "mcpServers", {"type": "stdio"}),
    ],
)
def test_without_keys_the_server_is_offline(
    capsys: pytest.CaptureFixture[str], file: Path, client: str, key: str, kind: dict[str, str]
) -> None:
    code, out, _ = run(capsys, client, "--path", str(file))
    assert code == 0
    assert f"restart {client}" in out
    entry = json.loads(file.read_text("utf-8"))[key]["tzzr"]
    assert entry == {**kind, "command": install.command(), "args": ["--offline"]}
    assert Path(entry["command"]).is_absolute()


def test_with_keys_the_file_holds_them_and_the_terminal_does_not(
    capsys: pytest.CaptureFixture[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNPOD_API_KEY", "swordfish")
    monkeypatch.setenv("HST_TOKEN", "trout")
    monkeypatch.setenv("TZZR_PLUGINS", "system,grace,hst")
    told = run(capsys, "cursor", "--keys", "--path", str(file), "--dry-run")
    assert not file.exists()
    assert "RUNPOD_API_KEY" in told[1]
    assert "swordfish" not in "".join(map(str, told))
    assert run(capsys, "cursor", "--keys", "--path", str(file))[0] == 0
    environ = json.loads(file.read_text("utf-8"))["mcpServers"]["tzzr"]["env"]
    assert environ == {"HST_TOKEN": "trout", "RUNPOD_API_KEY": "swordfish", "TZZR_PLUGINS": "system,grace,hst"}
    assert file.stat().st_mode & 0o077 == 0


def test_missing_keys_are_named(
    capsys: pytest.CaptureFixture[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HST_TOKEN", "trout")
    code, _, err = run(capsys, "cursor", "--keys", "--path", str(file))
    assert code == 2
    assert "RUNPOD_API_KEY not set" in err
    assert not file.exists()


def test_other_entries_and_the_former_file_are_kept(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.parent.mkdir()
    before = '\ufeff{"theme": "ñ", "mcpServers": {"other": {"command": "x"}, "tzzr": {"command": "old"}}, "last": [1]}'
    file.write_text(before, encoding="utf-8")
    file.chmod(0o640)
    _, out, _ = run(capsys, "cursor", "--path", str(file))
    after = json.loads(file.read_text("utf-8"))
    assert list(after) == ["theme", "mcpServers", "last"]
    assert after["mcpServers"]["other"] == {"command": "x"}
    assert after["mcpServers"]["tzzr"]["args"] == ["--offline"]
    assert file.stat().st_mode & 0o777 == 0o640
    kept = file.with_name("mcp.json.bak")
    assert kept.read_text("utf-8") == before
    assert str(kept) in out
    run(capsys, "cursor", "--path", str(file))
    assert file.with_name("mcp.json.bak2").exists()


@pytest.mark.parametrize("content", ["{", "[1]", '{"mcpServers": []}', "// a comment\n{}"])
def test_a_file_that_cannot_be_understood_is_left_alone(
    capsys: pytest.CaptureFixture[str], file: Path, content: str
) -> None:
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")
    code, _, err = run(capsys, "cursor", "--path", str(file))
    assert code == 2
    assert "nothing was written" in err
    assert file.read_text("utf-8") == content
    assert [each.name for each in file.parent.iterdir()] == ["mcp.json"]


def test_a_link_stays_a_link(capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path) -> None:
    file.parent.mkdir()
    file.symlink_to(tmp_path / "real.json")
    assert run(capsys, "cursor", "--path", str(file))[0] == 0
    assert file.is_symlink()
    assert "tzzr" in (tmp_path / "real.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("client", "platform", "expected"),
    [
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("vscode", "linux", ".config/Code/User/mcp.json"),
        ("cursor", "darwin", ".cursor/mcp.json"),
        ("claude-code", "linux", ".claude.json"),
    ],
)
def test_each_client_has_its_place(client: str, platform: str, expected: str) -> None:
    home = Path("home")
    assert install.place(install.CLIENTS[client], platform, home) == home / expected


def test_the_home_folder_is_where_it_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    assert run(capsys, "cursor", "--name", "mine")[0] == 0
    assert "mine" in json.loads((tmp_path / ".cursor/mcp.json").read_text("utf-8"))["mcpServers"]


@given(st.dictionaries(st.text(), JSON_VALUES, max_size=5), st.dictionaries(st.text(), JSON_VALUES, max_size=5))
def test_merging_changes_the_one_entry_alone(around: dict[str, Any], servers: dict[str, Any]) -> None:
    before = {**around, "mcpServers": servers}
    after = install.merged(before, "mcpServers", "tzzr", {"command": "x"})
    assert after["mcpServers"].pop("tzzr") == {"command": "x"}
    servers.pop("tzzr", None)
    assert after == {**around, "mcpServers": servers}
    assert json.loads(install.written(after)) == after
