"""``/auth``: login, refresh, logout, in the three modes ``json``, ``cookie`` and ``session``."""

from __future__ import annotations

import re
from typing import Any

from tzzr_mcp.seams import Clock
from tzzr_mocks.hst.accounts import Account
from tzzr_mocks.hst.auth import ACCESS_SECONDS, REFRESH_COOKIE, REFRESH_SECONDS, SESSION_COOKIE, SESSION_SECONDS
from tzzr_mocks.hst.errors import invalid_payload, invalid_token
from tzzr_mocks.hst.exchange import Answer, Call, no_content, respond
from tzzr_mocks.hst.routes.router import Route
from tzzr_mocks.hst.state import State

STALL_SECONDS = 0.5
"""A login takes this long, right or wrong."""

_MODES = ("cookie", "json", "session")
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")


class TokenRoutes:
    """The endpoints of tokens."""

    def __init__(self, state: State, clock: Clock) -> None:
        self._tokens = state.tokens
        self._clock = clock

    def routes(self) -> tuple[Route, ...]:
        """The table."""
        return (
            Route("/auth", {"GET": self.providers}),
            Route("/auth/login", {"POST": self.login}),
            Route("/auth/refresh", {"POST": self.refresh}),
            Route("/auth/logout", {"POST": self.logout}),
            Route("/auth/password/request", {"POST": self.request_password}),
            Route("/auth/password/reset", {"POST": self.reset_password}),
        )

    async def providers(self, call: Call) -> Answer:
        """``GET /auth``: no provider but the built-in one."""
        return respond({"data": [], "disableDefault": False})

    async def login(self, call: Call) -> Answer:
        """``POST /auth/login``."""
        body = _checked_login(call.body)
        began = self._clock.monotonic()
        try:
            account = self._tokens.log_in(body["email"], body["password"])
        finally:
            await self._clock.sleep(STALL_SECONDS - (self._clock.monotonic() - began))
        return self._pair(account, body.get("mode", "json"))

    async def refresh(self, call: Call) -> Answer:
        """``POST /auth/refresh``: a used refresh token is dead."""
        mode, token = self._given(call)
        account = self._tokens.owner(token) if mode == "session" else self._tokens.use_refresh_token(token)
        return self._pair(account, mode)

    async def logout(self, call: Call) -> Answer:
        """``POST /auth/logout``: the access token lives on until it expires."""
        _, token = self._given(call)
        self._tokens.forget(token)
        return no_content()

    async def request_password(self, call: Call) -> Answer:
        """``POST /auth/password/request``: nobody is told whether the address exists; no mail is sent."""
        if not _text(call.body, "email"):
            raise invalid_payload('"email" field is required')
        return no_content()

    async def reset_password(self, call: Call) -> Answer:
        """``POST /auth/password/reset``: no token is ever given out, so none is good."""
        for name in ("token", "password"):
            if not _text(call.body, name):
                raise invalid_payload(f'"{name}" field is required')
        raise invalid_token()

    def _given(self, call: Call) -> tuple[str, str]:
        """Mode and token of a refresh or a logout, from the body or from a cookie."""
        given = _text(call.body, "refresh_token")
        mode = _mode(call.body, "json" if given else "cookie")
        cookie = {"cookie": REFRESH_COOKIE, "session": SESSION_COOKIE}.get(mode, "")
        token = given if mode == "json" else call.cookies.get(cookie)
        if not token:
            raise invalid_payload("The refresh token is required in either the payload or cookie")
        return mode, token

    def _pair(self, account: Account, mode: str) -> Answer:
        if mode == "session":
            token = self._tokens.access_token(account, SESSION_SECONDS)
            answer = respond({"data": {"expires": SESSION_SECONDS * 1000}})
            answer.cookies.append(self._tokens.cookie(SESSION_COOKIE, token, SESSION_SECONDS))
            return answer
        refresh, access = self._tokens.refresh_token(account), self._tokens.access_token(account)
        expires = {"expires": ACCESS_SECONDS * 1000}
        if mode == "json":
            return respond({"data": {**expires, "refresh_token": refresh, "access_token": access}})
        answer = respond({"data": {**expires, "access_token": access}})
        answer.cookies.append(self._tokens.cookie(REFRESH_COOKIE, refresh, REFRESH_SECONDS))
        return answer


def _text(body: Any, name: str) -> str:
    value = body.get(name) if isinstance(body, dict) else None
    return value if isinstance(value, str) else ""


def _mode(body: Any, implied: str) -> str:
    """The mode that is asked for; a value that is no text is a mode that there is not, like any unknown word."""
    asked = body.get("mode") if isinstance(body, dict) else None
    return implied if asked in (None, False, 0, "") else str(asked)  # what JavaScript takes for true


def _checked_login(body: Any) -> dict[str, Any]:
    given = body if isinstance(body, dict) else {}
    for name in ("email", "password"):
        _check_text(given, name)
    if not _EMAIL.fullmatch(given["email"]):
        raise invalid_payload('"email" must be a valid email')
    if given.get("mode", "json") not in _MODES:
        raise invalid_payload(f'"mode" must be one of [{", ".join(_MODES)}]')
    return given


def _check_text(given: dict[str, Any], name: str) -> None:
    if name not in given:
        raise invalid_payload(f'"{name}" is required')
    if not isinstance(given[name], str):
        raise invalid_payload(f'"{name}" must be a string')
    if not given[name]:
        raise invalid_payload(f'"{name}" is not allowed to be empty')
