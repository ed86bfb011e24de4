"""What happens, over HTTP: journal, trace, jobs, and all of it as it comes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import StreamingResponse

from tzzr_mocks.control.near import Wanted
from tzzr_mocks.desk.answers import Exchange, Exchanges, JobTold, NoExchanges, TraceTold
from tzzr_mocks.desk.desk import TheWorld
from tzzr_mocks.desk.jobs import jobs_of
from tzzr_mocks.desk.live import there
from tzzr_mocks.desk.news import News
from tzzr_mocks.desk.routes import Routes
from tzzr_mocks.desk.schemas import JournalQuery

routes = Routes("journal")


@routes.get("/journal", answers=Exchanges)
async def read_journal(world: TheWorld, asked: Annotated[JournalQuery, Query()]) -> dict[str, Any]:
    """The newest exchanges that fit, oldest first."""
    wanted = Wanted(service=asked.service, route=asked.route, module=asked.module)
    found = [one for one in world.journal if one.number > asked.after and wanted.fits(one)]
    exchanges = [one.as_json() for one in found[-asked.limit :]]
    return {"exchanges": exchanges, "found": len(found), "dropped": world.journal.dropped}


@routes.get("/journal/{number}", answers=Exchange)
async def read_exchange(world: TheWorld, number: int) -> dict[str, Any]:
    """One exchange."""
    found = {str(one.number): one for one in world.journal}
    if str(number) not in found:
        there("exchange", str(number), list(found)[-3:])
    return found[str(number)].as_json()


@routes.delete("/journal", answers=NoExchanges)
async def clear_journal(world: TheWorld) -> dict[str, Any]:
    """Forget every exchange."""
    world.journal.clear()
    return {"exchanges": []}


@routes.get("/trace", answers=TraceTold)
async def read_trace(world: TheWorld, limit: Annotated[int, Query(ge=1)] = 1000) -> dict[str, Any]:
    """The newest events, and the digest over all that are kept."""
    return {"digest": world.trace.digest(), "events": [event.as_json() for event in world.trace][-limit:]}


@routes.get("/jobs", answers=list[JobTold])
async def list_jobs(world: TheWorld) -> list[dict[str, Any]]:
    """The jobs that GRACE holds, oldest first."""
    return jobs_of(world.grace)


@routes.get("/events", answers=str, response_class=StreamingResponse)
async def follow(world: TheWorld) -> StreamingResponse:
    """Everything as it comes, as server-sent events: ``exchange`` with one, ``event`` with one of the trace."""
    return StreamingResponse(_lines(News(world)), media_type="text/event-stream", headers={"cache-control": "no-store"})


async def _lines(news: News) -> AsyncIterator[str]:
    with news:
        yield ": follow\n\n"
        async for kind, content in news:
            yield f"event: {kind}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
