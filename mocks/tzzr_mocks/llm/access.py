"""Who may ask: the key, as either API's clients send it."""

from __future__ import annotations

import hmac

from starlette.requests import Request

from tzzr_mocks.llm.errors import ModelError
from tzzr_mocks.llm.seed import KEY, MODEL


def let_in(request: Request) -> None:
    """Let a client in that has the key, as a bearer token or in ``x-api-key``.

    Raises:
        ModelError: 401, it has none, or another one.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    given = token if scheme.lower() == "bearer" else request.headers.get("x-api-key", "")
    if not given:
        raise ModelError(401, "No API key was sent: give it as a bearer token, or in x-api-key.")
    if not hmac.compare_digest(given.encode(), KEY.encode()):
        raise ModelError(401, "The API key is not a valid one.")


def is_anthropic(request: Request) -> bool:
    """Whether the request speaks Anthropic's API: where both have a path, its version header tells."""
    return request.url.path.startswith("/v1/messages") or "anthropic-version" in request.headers


def check_model(name: str, *, anthropic: bool = False) -> None:
    """Refuse a model that there is not.

    Raises:
        ModelError: 404.
    """
    if name != MODEL:
        raise ModelError(
            404, f"There is no model {name!r}; the fake has {MODEL!r}.", None if anthropic else "model_not_found"
        )
