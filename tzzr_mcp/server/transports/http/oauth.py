"""OAuth 2.1 resource server: access tokens as JWT, checked against the authorization server's published keys."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import jwt
from mcp.server.auth.provider import AccessToken

from tzzr_mcp.seams import Clock, SystemClock
from tzzr_mcp.server.transports.http.options import OAuth

log = logging.getLogger(__name__)

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures that a published key can check. Never HMAC: whoever knows the public key could sign."""
LEEWAY_S = 30
"""Seconds by which the two machines' clocks may differ."""
FETCH_S = 5.0
REFRESH_S = 30.0
"""Seconds between two questions for the keys: a token with an invented key id must not make the server ask."""


class KeySet:
    """The authorization server's keys, fetched when a token names one that is not known."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._client = jwt.PyJWKClient(url, cache_keys=False, cache_jwk_set=False, timeout=FETCH_S)
        self._clock = clock
        self._keys: Mapping[str | None, jwt.PyJWK] = {}
        self._asked = float("-inf")
        self._asking = asyncio.Lock()

    async def find(self, identity: str | None) -> jwt.PyJWK | None:
        """The key of that id; None when it is not published, or the keys cannot be fetched."""
        async with self._asking:
            if identity not in self._keys and self._clock.monotonic() - self._asked >= REFRESH_S:
                self._asked = self._clock.monotonic()
                await self._fetch()
        return self._keys.get(identity)

    async def _fetch(self) -> None:
        try:
            keys = await asyncio.to_thread(self._client.get_signing_keys, refresh=True)
        except jwt.PyJWTError as error:
            log.error("the authorization server's keys cannot be fetched: %s", error)
        else:
            self._keys = {key.key_id: key for key in keys}


class AccessTokens:
    """A `TokenVerifier` of the SDK for the tokens of one authorization server."""

    def __init__(self, oauth: OAuth, clock: Clock | None = None) -> None:
        self._oauth = oauth
        self._keys = KeySet(oauth.jwks_url, clock or SystemClock())

    async def verify_token(self, token: str) -> AccessToken | None:
        """What the token says; None unless issuer, audience, time, signature and scopes are right."""
        try:
            key = await self._keys.find(jwt.get_unverified_header(token).get("kid"))
            claims = self._claims(token, key) if key else None
        except jwt.PyJWTError as error:
            log.info("an access token is refused: %s", error)
            return None
        if claims is None or not set(self._oauth.scopes) <= set(_scopes(claims)):
            log.info("an access token is refused: %s", "its key is unknown" if claims is None else "a scope is missing")
            return None
        return AccessToken(
            token=token,
            client_id=str(claims.get("client_id") or claims.get("azp") or claims["sub"]),
            scopes=_scopes(claims),
            expires_at=int(claims["exp"]),
            resource=self._oauth.resource,
            subject=str(claims["sub"]),
            claims={"iss": claims["iss"]},
        )

    def _claims(self, token: str, key: jwt.PyJWK) -> dict[str, Any]:
        resource = self._oauth.resource.rstrip("/")
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=ALGORITHMS,
            audience=[resource, f"{resource}/"],
            issuer=self._oauth.issuer,
            leeway=LEEWAY_S,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        return claims


def _scopes(claims: Mapping[str, Any]) -> list[str]:
    given = claims.get("scope", claims.get("scp", ""))
    return given.split() if isinstance(given, str) else [str(each) for each in given]
