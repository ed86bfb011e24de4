"""What happens, over HTTP: journal, trace, jobs, the clock, and all of it as it comes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import StreamingResponse

from tzzr_mocks.control.errors import unknown
from tzzr_mocks.control.near import Wanted
from tzzr_mocks.served.desk import Desk
from tzzr_mocks.served.jobs import jobs_of
from tzzr_mocks.served.news import News
from tzzr_mocks.served.schemas import Advance


def add_watch_routes(app: FastAPI, desk: Desk) -> None:
    """Add them to the application."""
    _add_journal(app, desk)
    _add_news(app, desk)
    _add_clock(app, desk)


def _add_journal(app: FastAPI, desk: Desk) -> None:
    @app.get("/journal", tags=["journal"])
    async def read_journal(
        request: Request,
        service: str | None = None,
        route: str | None = None,
        module: str | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> dict[str, Any]:
        """The newest exchanges that fit, oldest first; ``after`` is the number of one already known."""
        journal, wanted = desk.world(request).journal, Wanted(service=service, route=route, module=module)
        found = [one for one in journal if one.number > after and wanted.fits(one)]
        shown = found[-limit:] if limit > 0 else []
        return {"exchanges": [one.as_json() for one in shown], "found": len(found), "dropped": journal.dropped}

    @app.get("/journal/{number}", tags=["journal"])
    async def read_exchange(request: Request, number: int) -> dict[str, Any]:
        """One exchange."""
        found = {str(one.number): one for one in desk.world(request).journal}
        if str(number) not in found:
            raise unknown("exchange", str(number), list(found)[-3:])
        return found[str(number)].as_json()

    @app.delete("/journal", tags=["journal"])
    async def clear_journal(request: Request) -> dict[str, Any]:
        """Forget every exchange."""
        desk.world(request).journal.clear()
        return {"exchanges": []}


def _add_news(app: FastAPI, desk: Desk) -> None:
    @app.get("/trace", tags=["journal"])
    async def read_trace(request: Request, limit: int = 1000) -> dict[str, Any]:
        """The newest events, and the digest over all that are kept."""
        trace = desk.world(request).trace
        return {"digest": trace.digest(), "events": [event.as_json() for event in trace][-limit:]}

    @app.get("/jobs", tags=["journal"])
    async def list_jobs(request: Request) -> list[dict[str, Any]]:
        """The jobs that GRACE holds, oldest first."""
        return jobs_of(desk.world(request).grace)

    @app.get("/events", tags=["journal"])
    async def follow(request: Request) -> StreamingResponse:
        """Everything as it comes, as server-sent events: ``exchange`` with one, ``event`` with one of the trace."""
        news = News(desk.world(request))

        async def lines() -> AsyncIterator[str]:
            with news:
                yield ": follow\n\n"
                async for kind, content in news:
                    yield f"event: {kind}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"

        return StreamingResponse(lines(), media_type="text/event-stream", headers={"cache-control": "no-store"})


def _add_clock(app: FastAPI, desk: Desk) -> None:
    def told(request: Request) -> dict[str, Any]:
        clock = desk.clock(request)
        now = clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {"now": now, "elapsed": round(desk.world(request).elapsed, 6), "frozen": clock.frozen}

    @app.get("/clock", tags=["clock"])
    async def read_clock(request: Request) -> dict[str, Any]:
        """What the world's clock shows."""
        return told(request)

    @app.post("/clock/freeze", tags=["clock"])
    async def freeze_clock(request: Request) -> dict[str, Any]:
        """Stop it: who waits, waits until it is advanced."""
        desk.clock(request).freeze()
        return told(request)

    @app.post("/clock/run", tags=["clock"])
    async def run_clock(request: Request) -> dict[str, Any]:
        """Let it run on from where it stands."""
        desk.clock(request).run()
        return told(request)

    @app.post("/clock/advance", tags=["clock"])
    async def advance_clock(request: Request, advance: Advance) -> dict[str, Any]:
        """Move it forward, running or not, and wake who has waited long enough."""
        desk.clock(request).advance(float(advance.seconds))
        return told(request)
