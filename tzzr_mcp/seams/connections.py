"""How long a server of ours keeps a connection that nobody uses."""

from __future__ import annotations

from typing import Final

IDLE_CONNECTION_S: Final = 75
"""Seconds: longer than clients keep theirs (httpx 5, undici 4, nginx 60), so that it is they who close it.

A server that closes first, as uvicorn does after 5 seconds, may do so while a request is on its way, whose answer is
then lost.
"""
