"""From a prompt to a response: what the model thinks, what faults make of it, and how it is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tzzr_mocks.control.occasion import Point
from tzzr_mocks.llm.access import is_anthropic
from tzzr_mocks.llm.completions.reply import event as openai_event
from tzzr_mocks.llm.delivery import Break, Delivery, Events, Stream
from tzzr_mocks.llm.errors import ModelError, anthropic_envelope, openai_envelope, plain
from tzzr_mocks.llm.faults.base import ModelFault
from tzzr_mocks.llm.messages.reply import event as anthropic_event
from tzzr_mocks.llm.mind import spoil, think
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reply import Reply
from tzzr_mocks.llm.state import ModelState


@dataclass(frozen=True)
class Answered:
    """A reply in an API's words: one object, or events."""

    whole: dict[str, Any] | None = None
    events: Iterable[bytes] = ()


Write = Callable[[Reply], Answered]
"""Puts a reply into an API's words."""


async def answer(state: ModelState, request: Request, prompt: Prompt, write: Write) -> Response:
    """The response to a prompt."""
    body = await request.body()
    state.seen.append(body.decode("utf-8", "replace"))
    faults = _faults(state, request, body)
    delivery = Delivery(state.pace)
    reply, delivery = spoil(think(prompt, state.script), delivery, prompt, faults, state.dice)
    state.control.seams.trace.record("llm", "model", stop=reply.stop, tools=[call.tool for call in reply.calls])
    answered, clock = write(reply), state.control.seams.clock
    if answered.whole is None:
        return Stream(Events(answered.events, delivery, clock, _error_event(request, delivery.broken)))
    await clock.sleep(delivery.pace.first_s)
    return await _whole(state, answered.whole, delivery.broken)


def _faults(state: ModelState, request: Request, body: bytes) -> list[ModelFault]:
    control = state.control
    occasion = control.occasion(request.scope, body, Point.MODEL)
    return [fault for fault in control.plan.fired(occasion) if isinstance(fault, ModelFault)]


def _error_event(request: Request, broken: Break | None) -> bytes:
    error = plain(broken.status if broken else 500)
    if is_anthropic(request):
        return anthropic_event("error", error=anthropic_envelope(error)["error"])
    return openai_event(openai_envelope(error))


async def _whole(state: ModelState, content: dict[str, Any], broken: Break | None) -> Response:
    """A reply that is not streamed: breaking off leaves half of it, an error takes its place."""
    if broken is None or broken.how == "hang":
        await state.control.seams.clock.sleep(broken.seconds if broken else 0.0)
        return JSONResponse(content)
    if broken.how == "error":
        raise ModelError(broken.status, plain(broken.status).message)
    half = JSONResponse(content).body
    return Half(bytes(half[: len(half) // 2]), gone=broken.how == "gone")


class Half(Response):
    """The first half of a JSON body; with ``gone`` its length tells that more was to come."""

    def __init__(self, body: bytes, *, gone: bool) -> None:
        super().__init__(body, media_type="application/json")
        if gone:
            self.headers["content-length"] = str(2 * len(body))
        self._gone = gone

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send what there is."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": self._gone})
