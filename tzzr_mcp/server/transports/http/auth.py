"""Who may come in: bearer tokens of our own, access tokens of an authorization server, or both."""

from __future__ import annotations

from collections.abc import Sequence

from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from pydantic import AnyHttpUrl
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp

from tzzr_mcp.server.transports.http.options import HttpOptions


class AnyOf:
    """A verifier that asks several, one after the other."""

    def __init__(self, verifiers: Sequence[TokenVerifier]) -> None:
        self._verifiers = verifiers

    async def verify_token(self, token: str) -> AccessToken | None:
        """What the first one says that knows the token."""
        for verifier in self._verifiers:
            if (access := await verifier.verify_token(token)) is not None:
                return access
        return None


def guarded(app: ASGIApp, options: HttpOptions) -> ASGIApp:
    """``app`` behind what ``options`` demand: 401 without a valid token, 403 without the scopes."""
    if not options.guarded:
        return app
    metadata = build_resource_metadata_url(AnyHttpUrl(options.oauth.resource)) if options.oauth else None
    # Scopes are checked by the verifier of access tokens: the holders of our own tokens have none.
    required = RequireAuthMiddleware(app, [], metadata)
    return AuthenticationMiddleware(required, backend=BearerAuthBackend(AnyOf(_verifiers(options))))


def metadata_routes(options: HttpOptions) -> list[Route]:
    """The protected resource's metadata (RFC 9728), by which a client finds the authorization server."""
    if options.oauth is None:
        return []
    issuer, scopes = AnyHttpUrl(options.oauth.issuer), list(options.oauth.scopes) or None
    return create_protected_resource_routes(AnyHttpUrl(options.oauth.resource), [issuer], scopes, "TZZR")


def _verifiers(options: HttpOptions) -> Sequence[TokenVerifier]:
    verifiers: list[TokenVerifier] = [options.tokens] if options.tokens else []
    if options.oauth is not None:
        from tzzr_mcp.server.transports.http.oauth import AccessTokens  # noqa: PLC0415 - PyJWT, only where it is used

        verifiers.append(AccessTokens(options.oauth))
    return verifiers
