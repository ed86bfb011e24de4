"""What an HTTP status means, by itself and with the upstream's words."""

from __future__ import annotations

import pytest

from tzzr_mcp.services.http import Answer, check
from tzzr_mcp.services.troubles import Trouble, UpstreamError


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_every_success_is_an_answer(status: int) -> None:
    answer = Answer(status, b"max size")
    assert check("grace", answer) is answer


@pytest.mark.parametrize(
    ("status", "body", "trouble"),
    [
        (400, b'{"error":"json is invalid; max size is 10 MB"}', Trouble.TOO_LARGE),
        (400, b'{"errors":[{"message":"Invalid payload. request entity too large."}]}', Trouble.TOO_LARGE),
        (400, b'{"error":"input is missing"}', Trouble.REFUSED),
        (400, b" " * 992 + b"max size", Trouble.TOO_LARGE),
        (400, b" " * 993 + b"max size", Trouble.REFUSED),
        (300, b"", Trouble.REFUSED),
        (401, b"", Trouble.AUTH),
        (403, b"error code: 1010", Trouble.FORBIDDEN),
        (403, b'{"errors":[{"extensions":{"code":"INVALID_TOKEN"}}]}', Trouble.AUTH),
        (404, b"<html>", Trouble.NOT_FOUND),
        (408, b"", Trouble.TIMEOUT),
        (413, b"", Trouble.TOO_LARGE),
        (418, b"", Trouble.REFUSED),
        (429, b"", Trouble.RATE_LIMITED),
        (500, b"", Trouble.BROKEN),
        (524, b"<html>", Trouble.BROKEN),
    ],
)
def test_each_status_has_its_trouble(status: int, body: bytes, trouble: Trouble) -> None:
    with pytest.raises(UpstreamError) as caught:
        check("grace", Answer(status, body))
    assert (caught.value.trouble, caught.value.status) == (trouble, status)
    assert str(caught.value) == f"grace: {trouble} ({status})"
