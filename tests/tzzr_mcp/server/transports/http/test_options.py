"""What the settings make of the HTTP server, and the starts that are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tzzr_mcp.checks.visitors import is_loopback
from tzzr_mcp.http_settings import HttpSettings
from tzzr_mcp.server.transports.http.options import HttpOptions, OAuth, http_options
from tzzr_mcp.settings import StartError

OAUTH: dict[str, Any] = {
    "TZZR_OAUTH_ISSUER": "https://login.example",
    "TZZR_OAUTH_JWKS_URL": "https://login.example/keys",
    "TZZR_OAUTH_RESOURCE": "https://tzzr.example/mcp",
}


def options(open_to_all: bool = False, workers: int = 1, **variables: Any) -> HttpOptions:
    settings = HttpSettings.model_validate({"TZZR_TRANSPORT": "http,sse", **variables})
    return http_options(settings, open_to_all=open_to_all, workers=workers)


def test_by_default_only_this_machine_may_come_in() -> None:
    assert options() == HttpOptions()
    assert options().local
    assert not options().guarded


def test_each_setting_has_its_place(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("ana beta\n", encoding="utf-8")
    given = options(
        TZZR_TRANSPORT="sse",
        TZZR_HTTP_HOST="192.168.1.50",
        TZZR_HTTP_PORT="9",
        TZZR_HTTP_TOKEN="alfa",
        TZZR_HTTP_TOKENS_FILE=str(file),
        TZZR_HTTP_ALLOWED_HOSTS="TZZR.example, odd.example:81",
        TZZR_HTTP_ALLOWED_ORIGINS="https://app.example",
        TZZR_HTTP_MAX_BODY="2048",
        TZZR_HTTP_MAX_SESSIONS="3",
        TZZR_HTTP_SESSION_IDLE_S="7",
    )
    assert given.tokens is not None
    assert [given.tokens.holder(token) for token in ("alfa", "beta")] == ["default", "ana"]
    assert given == HttpOptions(
        wires=frozenset({"sse"}),
        host="192.168.1.50",
        port=9,
        tokens=given.tokens,
        hosts=frozenset({"tzzr.example", "odd.example:81"}),
        origins=("https://app.example",),
        max_body=2048,
        max_sessions=3,
        idle_s=7,
    )


def test_an_allowed_origin_that_is_none_is_refused_with_the_mend() -> None:
    with pytest.raises(StartError, match=r"TZZR_HTTP_ALLOWED_ORIGINS names 'app\.example', .*write https://app\.ex"):
        options(TZZR_HTTP_ALLOWED_ORIGINS="app.example")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.50", "tzzr.example", ""])  # noqa: S104 - refused
def test_another_address_without_a_token_is_refused_with_the_mend(host: str) -> None:
    with pytest.raises(StartError) as caught:
        options(TZZR_HTTP_HOST=host)
    assert caught.value.exit_code == 78
    assert str(caught.value) == (
        f"TZZR_HTTP_HOST is {host!r}: other machines could use the server, and nothing asks them who they are.\n"
        "  Set TZZR_HTTP_TOKEN (or TZZR_HTTP_TOKENS_FILE, or TZZR_OAUTH_ISSUER), or listen on this machine alone:\n"
        "  mcp-server-tzzr --transport http --host 127.0.0.1"
    )


def test_another_address_is_served_with_a_token_a_file_oauth_or_on_purpose(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("ana alfa\n", encoding="utf-8")
    ways: list[dict[str, Any]] = [
        {"TZZR_HTTP_TOKEN": "alfa"},
        {"TZZR_HTTP_TOKENS_FILE": str(file)},
        OAUTH,
        {"open_to_all": True},
    ]
    for way in ways:
        assert options(TZZR_HTTP_HOST="0.0.0.0", **way).guarded is ("open_to_all" not in way)  # noqa: S104


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost", "LOCALHOST"])
def test_loopback_has_many_names(host: str) -> None:
    assert is_loopback(host)


def test_oauth_needs_all_of_its_settings() -> None:
    issuer, keys, resource = OAUTH.values()
    assert options(**OAUTH, TZZR_OAUTH_SCOPES="a b").oauth == OAuth(issuer, keys, resource, ("a", "b"))
    needed = "TZZR_OAUTH_ISSUER, TZZR_OAUTH_JWKS_URL and TZZR_OAUTH_RESOURCE"
    for number, missing in enumerate(OAUTH):
        with pytest.raises(StartError) as caught:
            options(**{name: value for name, value in OAUTH.items() if name != missing})
        assert str(caught.value) == f"{missing} is not set, but OAuth needs all of {needed}."
        others = [name for name in OAUTH if name != missing]
        with pytest.raises(StartError) as caught:
            options(**{missing: list(OAUTH.values())[number]})
        assert str(caught.value) == f"{others[0]} and {others[1]} are not set, but OAuth needs all of {needed}."


def test_several_workers_serve_no_sessions() -> None:
    assert [options(TZZR_TRANSPORT="http", workers=number).stateless for number in (1, 2)] == [False, True]
    with pytest.raises(StartError) as caught:
        options(workers=2)
    assert str(caught.value) == (
        "--workers 2 cannot serve the transport sse: its sessions live in one process.\n"
        "  Serve --transport http alone, or start several servers on ports of their own behind nginx (docs/deploy.md)."
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [("stdio", {"stdio"}), ("HTTP , sse,", {"http", "sse"}), ("all", {"stdio", "http", "sse"}), ("http", {"http"})],
)
def test_transports_are_named_one_by_one_or_all(given: str, expected: set[str]) -> None:
    assert HttpSettings.model_validate({"TZZR_TRANSPORT": given}).transports() == expected


@pytest.mark.parametrize("given", ["htp", ",", "http,websocket"])
def test_unknown_transports_are_refused(given: str) -> None:
    with pytest.raises(ValueError, match="one or several of stdio, http, sse"):
        HttpSettings.model_validate({"TZZR_TRANSPORT": given})
