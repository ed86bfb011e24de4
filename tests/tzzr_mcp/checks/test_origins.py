"""A web origin in a setting is one that a browser sends; whatever never matches is refused with the mend."""

from __future__ import annotations

import pytest

from tzzr_mcp.checks.environment import StartError
from tzzr_mcp.checks.visitors import Visitors, origins_of

GOOD = ("https://app.example", "http://127.0.0.1:6274", "https://[::1]:3000", "vscode-webview://a1b2", "null", "*")


def test_origins_are_read_with_commas_between() -> None:
    assert origins_of(", ".join(GOOD), "X") == GOOD
    assert origins_of(" ", "X") == ()


@pytest.mark.parametrize("origin", GOOD)
def test_an_origin_that_is_taken_lets_its_page_in(origin: str) -> None:
    visitors = Visitors("127.0.0.1", origins=origins_of(origin, "X"))
    assert visitors.turned("localhost", "https://else.example" if origin == "*" else origin) is None


@pytest.mark.parametrize(
    ("origin", "mend"),
    [
        ("app.example", "write https://app.example ("),
        ("app.example:8443", "write https://app.example:8443 ("),
        ("https://app.example/", "write https://app.example ("),
        ("https://app.example/chat?x=1", "write https://app.example ("),
        ("https://App.Example", "write https://app.example ("),
        ("HTTPS://app.example:443", "write https://app.example ("),
        ("http://app.example:80", "write http://app.example ("),
        ("https://", "write it as https://app.example"),
        ("app example", "write it as https://app.example"),
        ("https://app.example:port", "write it as https://app.example"),
    ],
)
def test_what_no_browser_sends_is_refused_with_what_it_does_send(origin: str, mend: str) -> None:
    with pytest.raises(StartError) as caught:
        origins_of(f"https://good.example, {origin}", "TZZR_HTTP_ALLOWED_ORIGINS")
    assert str(caught.value).startswith(f"TZZR_HTTP_ALLOWED_ORIGINS names {origin!r}, which is no web origin: {mend}")
