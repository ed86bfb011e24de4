"""The control plane answers this machine, or whoever has the token, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_mocks.served.desktop import TOKEN
from tzzr_mocks.control.asgi import Message, answer_json
from tzzr_mocks.served.access import AccessMiddleware


async def status_of(client: str, token: str | None = TOKEN, **headers: str) -> int:
    """The status that a request from ``client`` gets."""
    seen: list[int] = []

    async def send(message: Message) -> None:
        seen.append(message.get("status", 0))

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": "http", "client": (client, 1), "headers": raw}
    await AccessMiddleware(answer_json(200, {}), token)(scope, receive, send)
    return seen[0]


@pytest.mark.parametrize("client", ["127.0.0.1", "127.8.8.8", "::1"])
@pytest.mark.parametrize("host", ["localhost:8050", "127.0.0.1:8050", "[::1]:8050"])
async def test_this_machine_is_let_in(client: str, host: str) -> None:
    assert await status_of(client, host=host) == 200


@pytest.mark.parametrize(
    ("client", "headers"),
    [
        ("192.168.1.9", {"host": "localhost"}),
        ("", {"host": "localhost"}),
        ("127.0.0.1", {"host": "rebound.example:8050"}),
        ("127.0.0.1", {"host": ""}),
        ("127.0.0.1", {"host": "localhost", "origin": "https://page.example"}),
        ("127.0.0.1", {"host": "localhost", "origin": "null"}),
        ("192.168.1.9", {"host": "localhost", "x_tzzr_token": "another"}),
    ],
)
async def test_anybody_else_is_not(client: str, headers: dict[str, str]) -> None:
    assert await status_of(client, **headers) == 403


async def test_the_token_lets_in_from_anywhere_where_there_is_one() -> None:
    assert await status_of("192.168.1.9", host="fakes.example", x_tzzr_token=TOKEN) == 200
    assert await status_of("192.168.1.9", None, host="fakes.example", x_tzzr_token="") == 403


async def test_a_page_of_this_machine_is_this_machine() -> None:
    assert await status_of("127.0.0.1", host="localhost:8050", origin="http://127.0.0.1:8050") == 200
