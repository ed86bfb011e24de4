"""Answers that stand in for the fake's own: one refusal of the platform, whatever was asked."""

from __future__ import annotations

from tzzr_mocks.control.asgi import ASGIApp, answer
from tzzr_mocks.grace.errors import Refusal


def refusing(refusal: Refusal) -> ASGIApp:
    """An application that always answers with this refusal."""
    headers = [(b"content-type", refusal.media_type.encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in refusal.headers.items()]
    return answer(refusal.status, refusal.body.encode(), headers)
