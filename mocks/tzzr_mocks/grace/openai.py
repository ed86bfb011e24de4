"""The route ``/openai/…``: the body goes to the worker as it is, and the worker's own words come back (runpod.md §4).

What the worker gets as input is what RunPod's vLLM worker gets: ``{"openai_route": …, "openai_input": …}``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.responses import Response, StreamingResponse

from tzzr_mcp.seams import Clock
from tzzr_mocks.grace import schemas
from tzzr_mocks.grace.calls import Call
from tzzr_mocks.grace.errors import JSON, TEXT, BadRequest
from tzzr_mocks.grace.job import ABSENT, Job, Order
from tzzr_mocks.grace.lifecycle import Status

LONGEST_S: Final = 300.0
ROUTE: Final = "/openai/{rest:path}"


async def pass_on(call: Call) -> Response:
    """Hand the request to a worker and answer with what it says, as a stream when the body asks for one."""
    body = await call.request.body()
    given = _object(body)
    order = Order({"openai_route": f"/{call.request.path_params['rest']}", "openai_input": given})
    job = call.endpoint.submit(order, "runsync", body)
    clock = call.endpoint.seams.clock
    if given.get("stream") is True:
        return StreamingResponse(_told(job, clock), media_type="text/event-stream")
    await job.bell.until(lambda: job.status.final, LONGEST_S, clock)
    if job.status is not Status.COMPLETED:
        return Response(job.error or str(job.status), 500, media_type=TEXT)
    return Response(schemas.dump(None if job.output is ABSENT else job.output), media_type=JSON)


def _object(body: bytes) -> dict[str, Any]:
    try:
        document = schemas.load(body)
    except ValueError:
        raise BadRequest("json is invalid") from None
    if not isinstance(document, dict):
        raise BadRequest("json is invalid; must be an object")
    return document


async def _told(job: Job, clock: Clock) -> AsyncIterator[bytes]:
    """The chunks as the worker streams them."""
    while True:
        await job.bell.until(lambda: bool(job.unread) or job.status.final, LONGEST_S, clock)
        while job.unread:
            yield _event(job.unread.popleft().output)
        if job.status.final:
            return


def _event(chunk: Any) -> bytes:
    """Text as it is; anything else as one server-sent event."""
    return chunk.encode() if isinstance(chunk, str) else b"data: " + schemas.dump(chunk) + b"\n\n"
