"""A body that says it is compressed, and is not."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.control.asgi import ASGIApp, RawHeaders, change_reply
from tzzr_mocks.control.fault import ReplyFault, Scene


@dataclass(frozen=True)
class BadGzip(ReplyFault):
    """The reply carries Content-Encoding gzip over plain bytes: the client cannot decode it.

    Seen at proxies that decompress and forget to say so.

    YAML: ``- hst: 1st call has bad_gzip``
    """

    kind = "bad_gzip"
    phrases = ("answers bad gzip",)

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Claim the compression."""
        return change_reply(app, _claimed)


def _claimed(status: int, headers: RawHeaders, body: bytes) -> tuple[int, RawHeaders, bytes]:
    return status, [*headers, (b"content-encoding", b"gzip")], body or b"{}"
