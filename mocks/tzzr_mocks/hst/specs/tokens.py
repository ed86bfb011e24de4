"""How logging in is described, and the few routes beside it that are open to anybody."""

from __future__ import annotations

from typing import Final

from tzzr_mocks.hst.specs.refusals import refused
from tzzr_mocks.openapi import BOOLEAN, INTEGER, STRING, Json, answer, body, link, listed, record

_MODE: Final[Json] = {"type": "string", "enum": ["cookie", "json", "session"]}
_EMAIL: Final[Json] = {"type": "string", "pattern": r"^[a-z0-9]+@[a-z0-9]+\.[a-z]{2,8}$"}
_TEXT: Final[Json] = {"type": "string", "minLength": 1}
_LOGIN: Final = record({"email": _EMAIL, "password": _TEXT}, {"mode": _MODE})
_TOKENS: Final = record({"expires": INTEGER}, {"access_token": STRING, "refresh_token": STRING}, closed=True)
_GIVEN: Final = record({}, {"refresh_token": _TEXT, "mode": _MODE})
_EXAMPLE: Final = {"email": "reader@example.com", "password": "Lab-Passw0rd!"}
_COOKIE: Final = {"Set-Cookie": {"schema": STRING, "description": "The token, in the modes cookie and session."}}


def paths() -> Json:
    """Every path below ``/auth``."""
    given = answer("The tokens.", record({"data": _TOKENS}, closed=True), headers=_COOKIE, links=_links())
    done = {"204": answer("Done.")}
    providers = record({"data": listed({}), "disableDefault": BOOLEAN}, closed=True)
    return {
        "/auth": {
            "get": _open("providers", "List the ways to log in", {"200": answer("None but the own.", providers)})
        },
        "/auth/login": {"post": _open("login", "Log in", {"200": given}, body(_LOGIN, example=_EXAMPLE))},
        "/auth/refresh": {"post": _open("refresh", "Exchange a refresh token", {"200": given}, _optional(_GIVEN))},
        "/auth/logout": {"post": _open("logout", "Let a refresh token be good for nothing", done, _optional(_GIVEN))},
        "/auth/password/request": {"post": _open("requestPassword", "Ask for a new password", done, _mail())},
        "/auth/password/reset": {"post": _open("resetPassword", "Set a new password", done, _new_password())},
    }


def _links() -> Json:
    token = {"refresh_token": "$response.body#/data/refresh_token", "mode": "json"}
    followed = {"refresh": "exchanges the refresh token", "logout": "lets it be good for nothing"}
    return {name: {**link(name, told), "requestBody": token} for name, told in followed.items()}


def _open(name: str, summary: str, answers: Json, taken: Json | None = None) -> Json:
    """An operation that anybody may ask; a token that opens nothing is refused all the same."""
    given = {} if taken is None else {"requestBody": taken}
    return {
        "operationId": name,
        "summary": summary,
        "security": [{}],
        **given,
        "responses": {**answers, **refused(400)},
    }


def _optional(schema: Json) -> Json:
    return body(schema, required=False)


def _mail() -> Json:
    return body(record({"email": _TEXT}))


def _new_password() -> Json:
    return body(record({"token": _TEXT, "password": _TEXT}))
