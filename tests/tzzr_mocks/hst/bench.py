"""How the HST fake's time grows with its rows: 849 against 200,000.

Run: ``python -m tests.tzzr_mocks.hst.bench``. Prints microseconds per request in process, and the ratio.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from tests.tzzr_mocks.hst.asking import get, make_fake
from tzzr_mocks.hst import HstFake

REQUESTS: Final = {
    "item by id": ("/items/tags_hst/300", ""),
    "page of 50": ("/items/tags_hst", "limit=50&sort=id"),
    "page of 50, some fields": ("/items/tags_hst", "limit=50&fields=id,ref,nombre"),
    "indexed filter": ("/items/tags_hst", "filter[ref][_eq]=HST-0003"),
    "count of all": ("/items/tags_hst", "limit=1&meta=total_count"),
    "search": ("/items/tags_hst", "limit=5&search=nadaquehaya"),
    "ping": ("/server/ping", ""),
}


async def _microseconds(fake: HstFake, path: str, query: str, seconds: float = 0.4) -> float:
    await get(fake, path, query)
    count, began = 0, time.perf_counter()  # noqa: TID251 - a benchmark
    while time.perf_counter() - began < seconds:  # noqa: TID251 - a benchmark
        await get(fake, path, query)
        count += 1
    return (time.perf_counter() - began) / count * 1e6  # noqa: TID251 - a benchmark


async def _main() -> None:
    small, large = make_fake("default"), make_fake("many")
    print(f"{'request':26} {'849 rows':>10} {'200,000':>10} {'ratio':>7}")
    for name, (path, query) in REQUESTS.items():
        few, many = await _microseconds(small, path, query), await _microseconds(large, path, query)
        print(f"{name:26} {few:8.0f}µs {many:8.0f}µs {many / few:7.1f}")


if __name__ == "__main__":
    asyncio.run(_main())
