"""The server around the routes: the order in which a request meets pressure, limits, token and route.

The order is that of directus.md §5: body (400), limits (429), token (401), route (404), query (400), permission (403).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from tzzr_mcp.seams import Clock
from tzzr_mocks.control.asgi import Receive, Scope, Send, read_body
from tzzr_mocks.hst.body import read_body as read_json
from tzzr_mocks.hst.errors import Refusal, Unexpected, under_pressure
from tzzr_mocks.hst.exchange import HTML_TYPE, JSON_TYPE, Answer, Call, encode, plain_text
from tzzr_mocks.hst.layers.cache import Cache, covers
from tzzr_mocks.hst.layers.cors import Cors
from tzzr_mocks.hst.layers.limiter import RateLimiter
from tzzr_mocks.hst.routes.router import Router
from tzzr_mocks.hst.state import State

HEAD_BYTES = 16 * 1024
"""Bytes of a request's head that Node reads; more is a bare 431."""

ALWAYS = {
    "content-security-policy": "script-src 'self' 'unsafe-eval';worker-src 'self' blob:;child-src 'self' blob:;"
    "img-src 'self' data: blob: https://raw.githubusercontent.com https://avatars.githubusercontent.com;"
    "media-src 'self';connect-src 'self' https://* wss://*;default-src 'self';base-uri 'self';"
    "font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';object-src 'none';"
    "script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "x-powered-by": "Directus",
}
"""Headers of every answer that is not sent under pressure."""

_PAGE = "<!doctype html><html><head><title>Directus</title></head><body>The fake has no admin app.</body></html>"

logger = logging.getLogger(__name__)


class Server:
    """The fake as an ASGI application."""

    def __init__(self, state: State, router: Router, clock: Clock) -> None:
        settings = state.settings
        self._state = state
        self._router = router
        self._cors = Cors(settings.cors) if settings.cors else None
        limits = ((settings.rate_limit_global, False), (settings.rate_limit, True))
        self._limiters = [(RateLimiter(limit, state.now), own) for limit, own in limits if limit]
        self._cache = Cache(settings.cache_seconds, clock.monotonic) if settings.cache_seconds else None
        self._pressed_until = 0.0
        self._clock = clock

    def press(self, seconds: float) -> None:
        """Be under pressure until some seconds have passed on the clock."""
        self._pressed_until = self._clock.monotonic() + seconds

    @property
    def _pressed(self) -> bool:
        if self._state.settings.pressure:
            return True
        return self._pressed_until > 0 and self._clock.monotonic() < self._pressed_until

    def clear(self) -> None:
        """Forget windows and kept answers."""
        for limiter, _ in self._limiters:
            limiter.clear()
        if self._cache:
            self._cache.clear()
        self._pressed_until = 0.0

    def snapshot(self) -> dict[str, Any]:
        """Windows, kept answers and pressure, for `restore`."""
        return {
            "limiters": [limiter.snapshot() for limiter, _ in self._limiters],
            "cache": self._cache.snapshot() if self._cache else None,
            "pressed_s": self._pressed_until - self._clock.monotonic() if self._pressed_until else 0.0,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a snapshot."""
        for (limiter, _), windows in zip(self._limiters, state["limiters"], strict=True):
            limiter.restore(windows)
        if self._cache:
            self._cache.restore(state["cache"])
        self._pressed_until = 0.0
        if state["pressed_s"] > 0:
            self.press(state["pressed_s"])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        call = _call(scope, await read_body(receive))
        answer = _bare(scope) or await self.answer(call)
        body = b"" if call.method == "HEAD" or answer.status == 304 else answer.body
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.all_headers()})
        await send({"type": "http.response.body", "body": body})

    async def answer(self, call: Call) -> Answer:
        """The answer to one request, refusals and caching headers included."""
        if self._pressed:
            return self._refused(under_pressure(self._state.settings.pressure_retry_after), call)
        answer = await self._guarded(call)
        if self._cors and "access-control-max-age" not in answer.headers:
            answer.headers = {**self._cors.headers(call), **answer.headers}
        answer.headers = {**ALWAYS, **answer.headers}
        return _not_modified(answer) if _fresh(call, answer) else answer

    async def _guarded(self, call: Call) -> Answer:
        try:
            return await self._before_routes(call)
        except Refusal as refusal:
            return self._refused(refusal, call)
        except Exception as error:
            logger.exception("the HST fake failed on %s %s", call.method, call.path)
            return self._refused(Unexpected(f"{type(error).__name__}: {error}"), call)

    async def _before_routes(self, call: Call) -> Answer:
        if self._cors and call.method == "OPTIONS":
            return self._cors.preflight(call)
        call.body = read_json(call.content, call.headers.get("content-type"))
        early = _FRONT.get(call.path) if call.method in ("GET", "HEAD") else None
        if early:
            return early()
        if self._state.settings.serve_app and call.path.partition("/admin")[0] == "":
            return Answer(
                200, _PAGE.encode(), HTML_TYPE, {"cache-control": "no-cache", "vary": "Origin, Cache-Control"}
            )
        for limiter, own in self._limiters:
            limiter.take(call.address if own else "")
        if call.path.rstrip("/").lower() == "/server/ping" and call.method in ("GET", "HEAD"):
            return plain_text("pong", HTML_TYPE)
        call.account = self._state.tokens.account(call)
        return await self._cached(call)

    async def _cached(self, call: Call) -> Answer:
        if self._cache is None:
            return await self._router.answer(call)
        kept = self._cache.find(call)
        if kept is not None:
            return kept
        answer = await self._marked(call)
        self._cache.keep(call, answer)
        return answer

    async def _marked(self, call: Call) -> Answer:
        """The routes' answer, marked as not found in the cache; refusals too."""
        try:
            answer = await self._router.answer(call)
        except Refusal as refusal:
            answer = self._refused(refusal, call)
        if covers(call):
            answer.headers["x-cache-status"] = "MISS"
        return answer

    def _refused(self, refusal: Refusal, call: Call) -> Answer:
        if isinstance(refusal, Unexpected) and not call.account.admin:
            refusal = refusal.for_anybody()
        stack = self._state.settings.development and refusal.status != 500
        headers = dict(refusal.headers)
        cookies = [headers.pop("set-cookie")] if "set-cookie" in headers else []
        return Answer(refusal.status, encode(refusal.body(stack=stack)), JSON_TYPE, headers, cookies)


def _home() -> Answer:
    headers = {"location": "./admin", "vary": "Accept"}
    return Answer(302, b"Found. Redirecting to ./admin", "text/plain; charset=utf-8", headers, tagged=False)


_FRONT: dict[str, Callable[[], Answer]] = {
    "/": _home,
    "/robots.txt": lambda: plain_text("User-agent: *\nDisallow: /"),
}


def _call(scope: Scope, content: bytes) -> Call:
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    raw = scope.get("raw_path") or scope["path"].encode()
    path = raw.partition(b"?")[0].decode("latin-1")
    query = scope.get("query_string", b"").decode("latin-1")
    address = (scope.get("client") or ("127.0.0.1", 0))[0]
    return Call(scope["method"], path, query, headers, content, address)


def _bare(scope: Scope) -> Answer | None:
    """What Node's parser answers before Directus sees anything."""
    line = (scope.get("raw_path") or b"") + scope.get("query_string", b"")
    if not line.isascii():
        return Answer(400, tagged=False)
    if len(line) + sum(len(name) + len(value) + 4 for name, value in scope["headers"]) > HEAD_BYTES:
        return Answer(431, tagged=False)
    return None


def _fresh(call: Call, answer: Answer) -> bool:
    """Express' rule: a GET whose ETag the asker has, unless it asks for a new one."""
    asked = call.headers.get("if-none-match")
    if asked is None or call.method not in ("GET", "HEAD") or not answer.tagged or not 200 <= answer.status < 300:
        return False
    if "if-modified-since" in call.headers or "no-cache" in call.headers.get("cache-control", ""):
        return False
    etags = [tag.strip().removeprefix("W/") for tag in asked.split(",")]
    return asked.strip() == "*" or answer.etag.removeprefix("W/") in etags


def _not_modified(answer: Answer) -> Answer:
    tagged = {**answer.headers, "etag": answer.etag}
    return Answer(304, headers=tagged, tagged=False)
