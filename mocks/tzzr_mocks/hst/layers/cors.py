"""Cross-origin requests, when ``CORS_ENABLED`` is set."""

from __future__ import annotations

from tzzr_mocks.hst.exchange import Answer, Call

_PREFLIGHT = {
    "access-control-allow-methods": "GET,POST,PATCH,DELETE",
    "access-control-allow-headers": "Content-Type,Authorization",
    "access-control-max-age": "18000",
    "content-length": "0",
}


class Cors:
    """Which origins may read answers: any (it is mirrored), or those of a list."""

    def __init__(self, origins: bool | tuple[str, ...]) -> None:
        self._origins = origins

    def headers(self, call: Call) -> dict[str, str]:
        """What every answer carries; a foreign origin gets the data all the same, without its name."""
        found = {
            "vary": "Origin",
            "access-control-allow-credentials": "true",
            "access-control-expose-headers": "Content-Range",
        }
        origin = call.headers.get("origin")
        if origin and (self._origins is True or (self._origins and origin in self._origins)):
            found["access-control-allow-origin"] = origin
        return found

    def preflight(self, call: Call) -> Answer:
        """204 to any OPTIONS, whatever the path."""
        return Answer(204, headers={**self.headers(call), **_PREFLIGHT})
