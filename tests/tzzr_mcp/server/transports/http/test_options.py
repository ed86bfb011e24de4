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


def test_an_allowed_origin_that_is_none_is_refused_with_the_mend() -> None:
    with pytest.raises(StartError, match=r"TZZR_HTTP_ALLOWED_ORIGINS names 'app\.example', .*write https://app\.ex"):
        options(TZZR_HTTP_ALLOWED_ORIGINS="app.example")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.50", "tzzr.example", ""])  # noqa: S104 - refused
def test_another_address_without_a_token_is_refused_with_the_mend(host: str) -> None:
    with pytest.raises(StartError, match="nothing asks them who they are") as caught:
        options(TZZR_HTTP_HOST=host)
    assert caught.value.exit_code == 78
    assert "Set TZZR_HTTP_TOKEN" in str(caught.value)
    assert "--host 127.0.0.1" in str(caught.value)


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
    with pytest.raises(StartError, match="TZZR_OAUTH_JWKS_URL and TZZR_OAUTH_RESOURCE are not set, but OAuth needs"):
        options(TZZR_OAUTH_ISSUER="https://login.example")


def test_several_workers_serve_no_sessions() -> None:
    assert options(TZZR_TRANSPORT="http", workers=2).stateless
    with pytest.raises(StartError, match="--workers 2 cannot serve the transport sse"):
        options(workers=2)


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
