"""Plugins and the offline world, found by their entry points."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tzzr_mcp.server.tiny import a_plugin
from tzzr_mcp.server.discovery import OFFLINE, PLUGINS, discover, installed, offline_variables, open_offline
from tzzr_mcp.settings import StartError

HERE = "tests.tzzr_mcp.server.test_discovery"
tiny = a_plugin()
other = a_plugin(name="other")
not_a_plugin = "a string"


def a_world(environ: Mapping[str, str]) -> Any:
    return dict(environ)


def no_world(environ: Mapping[str, str]) -> Any:
    raise ValueError("TZZR_SEED is no number")


@pytest.fixture(autouse=True)
def points(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, str]]:
    """The entry points that seem to be installed, by group and name."""
    known = {
        PLUGINS: {
            "tiny": f"{HERE}:tiny",
            "other": f"{HERE}:other",
            "wrong": f"{HERE}:not_a_plugin",
            "gone": "no.way:x",
        },
        OFFLINE: {"fakes": f"{HERE}:a_world"},
    }

    def entry_points(group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in known[group].items()]

    monkeypatch.setattr("tzzr_mcp.server.discovery.entry_points", entry_points)
    return known


def refusal(names: str) -> str:
    with pytest.raises(StartError) as caught:
        discover(names)
    return str(caught.value)


def test_plugins_come_in_the_order_asked_for_and_once() -> None:
    assert discover(" other, tiny,other,") == (other, tiny)
    assert discover(["tiny"]) == (tiny,)


def test_what_is_installed_is_known_without_importing_it() -> None:
    assert list(installed()) == ["tiny", "other", "wrong", "gone"]


def test_an_unknown_name_is_told_with_the_nearest_and_all_there_are() -> None:
    assert refusal("tinny") == (
        "TZZR_PLUGINS names 'tinny', which is no plugin; did you mean tiny?\n"
        "  Installed are gone, other, tiny and wrong."
    )
    assert refusal("tinny,zzz").startswith("2 plugins are unknown:\n  - TZZR_PLUGINS names 'tinny'")


def test_no_name_at_all_is_told_and_nothing_installed_too(points: dict[str, dict[str, str]]) -> None:
    assert refusal(" , ") == "TZZR_PLUGINS names no plugin; installed are gone, other, tiny and wrong."
    points[PLUGINS].clear()
    assert refusal("tiny").endswith("\n  None is installed.")
    assert refusal("").endswith("installed are none.")


def test_a_plugin_that_cannot_be_imported_or_is_none_is_told() -> None:
    assert refusal("gone").startswith("plugin gone: no.way:x cannot be imported (No module named 'no'); reinstall it")
    assert refusal("wrong") == f"plugin wrong: {HERE}:not_a_plugin is str, not tzzr_mcp.plugins.api.Plugin"


def test_the_offline_world_is_opened_with_the_environment() -> None:
    world: Any = open_offline({"TZZR_SEED": "7"})
    assert world == {"TZZR_SEED": "7"}


def test_an_offline_world_that_cannot_be_made_is_refused(points: dict[str, dict[str, str]]) -> None:
    points[OFFLINE] = {"fakes": f"{HERE}:no_world"}
    with pytest.raises(StartError, match="the offline world cannot be made: TZZR_SEED is no number"):
        open_offline({})


@pytest.mark.parametrize("value", ["no.way:x", f"{HERE}:nothing", None])
def test_without_the_fakes_the_extra_to_install_is_named(points: dict[str, dict[str, str]], value: str | None) -> None:
    points[OFFLINE] = {"fakes": value} if value else {}
    with pytest.raises(StartError) as caught:
        open_offline({})
    assert caught.value.exit_code == 78
    assert str(caught.value) == (
        "--offline needs the fakes, and the fakes are not installed; "
        "install them: pip install 'mcp-server-tzzr[harness]'"
    )


def test_of_several_offline_worlds_the_first_by_name_is_opened(points: dict[str, dict[str, str]]) -> None:
    points[OFFLINE] = {"zeta": f"{HERE}:no_world", "alfa": f"{HERE}:a_world", "more": f"{HERE}:no_world"}
    world: Any = open_offline({"TZZR_SEED": "7"})
    assert world == {"TZZR_SEED": "7"}


def test_an_offline_world_may_name_variables_of_its_own() -> None:
    bare: Any = SimpleNamespace()
    naming: Any = SimpleNamespace(variables=("TZZR_SEED",))
    assert [offline_variables(world) for world in (None, bare, naming)] == [(), (), ("TZZR_SEED",)]
