"""Requests a second that each fake answers over a loopback socket, asked over keep-alive connections."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.bench.timing import wall

CALLS, CONNECTIONS = 400, 4
_SERVER = """
import asyncio, json
from tzzr_mocks.served import serve
from tzzr_mocks.world import World
async def main():
    async with serve(World(time="real", starting="unlimited")) as server:
        print(json.dumps(server.environment), flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""
_REQUESTS = (
    ("GRACE's fake, GET /health", "GRACE_BASE_URL", "/grace/health", "RUNPOD_API_KEY"),
    ("HST's fake, GET /items/tags_hst?limit=50", "HST_BASE_URL", "/items/tags_hst?limit=50", "HST_TOKEN"),
    ("HST's fake, GET /items/tags_flg/1", "HST_BASE_URL", "/items/tags_flg/1", "HST_TOKEN"),
)


def figures() -> Iterator[tuple[str, str, str]]:
    """Rows of name, figure, ratio to the first."""
    with subprocess.Popen([sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        environ = json.loads(process.stdout.readline())
        first = 0.0
        for name, base, path, key in _REQUESTS:
            rate = _rate(environ[base], path, environ[key])
            first = first or rate
            yield name, f"{rate:,.0f} a second", f"{rate / first:.2f} ×"
        process.terminate()


def _rate(base: str, path: str, key: str) -> float:
    host, _, prefix = base.removeprefix("http://").partition("/")
    where = f"/{prefix}{path}" if prefix else path

    def ask(_: int) -> None:
        connection = http.client.HTTPConnection(host)
        for _call in range(CALLS):
            connection.request("GET", where, headers={"Authorization": f"Bearer {key}"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
        connection.close()

    def all_of_them() -> list[Any]:
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            return list(pool.map(ask, range(CONNECTIONS)))

    return CALLS * CONNECTIONS / wall(all_of_them)
