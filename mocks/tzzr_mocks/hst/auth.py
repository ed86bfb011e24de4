"""Tokens: static ones, those that a login gives, and which of the three places of a request they are read from."""

from __future__ import annotations

import base64
import copy
import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from tzzr_mcp.seams import Dice
from tzzr_mocks.hst.accounts import NOBODY, PASSWORD, STATIC_TOKENS, Account
from tzzr_mocks.hst.errors import Refusal, invalid_credentials, invalid_payload, invalid_token, token_expired
from tzzr_mocks.hst.exchange import Call

ACCESS_SECONDS = 900
REFRESH_SECONDS = 7 * 86400
SESSION_SECONDS = 86400
SESSION_COOKIE = "directus_session_token"
REFRESH_COOKIE = "directus_refresh_token"

_SECRET = b"lab-secret-0123456789abcdef0123456789abcdef"
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


class Tokens:
    """Who a token belongs to. Static tokens are fixed; the others live in here."""

    def __init__(self, now: Callable[[], datetime], dice: Dice) -> None:
        self._now = now
        self._dice = dice
        self._static = dict(STATIC_TOKENS)
        names = [account.name for account in STATIC_TOKENS.values()]
        self._ids = {name: str(dice.named(name).uuid4()) for name in names}
        self._roles = {name: str(dice.named(f"role {name}").uuid4()) for name in names}
        self.project_id = str(dice.named("project").uuid4())
        self._refresh: dict[str, tuple[Account, float]] = {}

    def id_of(self, account: Account) -> str:
        """The user's id, a UUID drawn from the world's dice."""
        return self._ids[account.name]

    def role_of(self, account: Account) -> str:
        """The id of the user's role."""
        return self._roles[account.name]

    def account(self, call: Call) -> Account:
        """Who sends this request.

        Raises:
            Refusal: 400, a token in header and query at once; 401 or 403, a token that opens nothing.
        """
        in_query = call.query.get("access_token")
        bearer = _bearer(call.headers.get("authorization"))
        if bearer and in_query:
            raise invalid_payload("The request uses more than one method for including an access token")
        token = bearer or in_query
        if token:
            return self.owner(token)
        return self._from_cookie(call.cookies.get(SESSION_COOKIE))

    def _from_cookie(self, token: str | None) -> Account:
        if not token:
            return NOBODY
        try:
            return self.owner(token)
        except Refusal as refusal:
            refusal.headers["set-cookie"] = self.cookie(SESSION_COOKIE, "", SESSION_SECONDS)
            raise

    def owner(self, token: Any) -> Account:
        """The user whose token this is.

        Raises:
            Refusal: 401, unknown, suspended or expired; 403, it claims to be ours and is not.
        """
        claims = _claims(token) if isinstance(token, str) else None
        account = self._signed(token, claims) if claims else self._static.get(token) if isinstance(token, str) else None
        if account is None or not account.active:
            raise invalid_credentials()
        return account

    def _signed(self, token: str, claims: dict[str, Any]) -> Account | None:
        body, _, signature = token.rpartition(".")
        if not hmac.compare_digest(signature, _signature(body)):
            raise invalid_token()
        if claims.get("exp", 0) <= self._now().timestamp():
            raise token_expired()
        return next((account for account in self._static.values() if self.id_of(account) == claims.get("id")), None)

    def log_in(self, email: str, password: str) -> Account:
        """The account of an address and a password; the address' case does not count.

        Raises:
            Refusal: 401, wrong or suspended.
        """
        for account in self._static.values():
            if email.lower() == f"{account.name}@example.com" and password == PASSWORD and account.active:
                return account
        raise invalid_credentials()

    def access_token(self, account: Account, seconds: int = ACCESS_SECONDS) -> str:
        """A signed token that is good for some seconds."""
        now = int(self._now().timestamp())
        claims = {
            "id": self.id_of(account),
            "admin_access": account.admin,
            "iat": now,
            "exp": now + seconds,
            "iss": "directus",
        }
        body = f"{_packed({'alg': 'HS256', 'typ': 'JWT'})}.{_packed(claims)}"
        return f"{body}.{_signature(body)}"

    def refresh_token(self, account: Account) -> str:
        """A token that can be changed once for another pair."""
        token = "".join(self._dice.choice(_ALPHABET) for _ in range(64))
        self._refresh[token] = (account, self._now().timestamp() + REFRESH_SECONDS)
        return token

    def use_refresh_token(self, token: Any) -> Account:
        """Whose refresh token this is; it is dead from now on.

        Raises:
            Refusal: 401, unknown, used or too old.
        """
        account, expires = self._refresh.pop(token, (NOBODY, 0.0)) if isinstance(token, str) else (NOBODY, 0.0)
        if expires <= self._now().timestamp():
            raise invalid_credentials()
        return account

    def clear(self) -> None:
        """Forget every login."""
        self._refresh.clear()

    def snapshot(self) -> Any:
        """The dice, and each refresh token with its account and the seconds that it is good for."""
        now = self._now().timestamp()
        tokens = {token: (account, expires - now) for token, (account, expires) in self._refresh.items()}
        return copy.deepcopy(self._dice), tokens

    def restore(self, state: Any) -> None:
        """Go back to a snapshot. An access token tells itself until when it is good, and is not changed."""
        dice, tokens = state
        now = self._now().timestamp()
        self._dice = copy.deepcopy(dice)
        self._refresh = {token: (account, now + left_s) for token, (account, left_s) in tokens.items()}

    def forget(self, token: str) -> None:
        """Let a refresh token be good for nothing."""
        self._refresh.pop(token, None)

    def cookie(self, name: str, value: str, seconds: int) -> str:
        """A ``Set-Cookie`` value."""
        expires = datetime.fromtimestamp(self._now().timestamp() + seconds, self._now().tzinfo)
        date = expires.strftime("%a, %d %b %Y %H:%M:%S GMT")
        return f"{name}={value}; Max-Age={seconds}; Path=/; Expires={date}; HttpOnly; SameSite=Lax"


def _bearer(header: str | None) -> str | None:
    parts = (header or "").split(" ")
    return parts[1] if len(parts) == 2 and parts[0].lower() == "bearer" else None


def _packed(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).rstrip(b"=").decode()


def _signature(body: str) -> str:
    digest = hmac.new(_SECRET, body.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _claims(token: str) -> dict[str, Any] | None:
    """What a token says of itself, when it says that it is Directus' own."""
    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except ValueError:
        return None
    return claims if isinstance(claims, dict) and claims.get("iss") == "directus" else None
