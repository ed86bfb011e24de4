"""The model's routes: HTTP in and out.

They are plain functions that find the fake in the application; closures would be kept for ever in caches.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tzzr_mocks.llm import sending
from tzzr_mocks.llm.access import check_model, is_anthropic, let_in
from tzzr_mocks.llm.completions import reply as openai_reply
from tzzr_mocks.llm.completions import request as openai_request
from tzzr_mocks.llm.count import of_prompt
from tzzr_mocks.llm.errors import ModelError, anthropic_envelope, openai_envelope, plain
from tzzr_mocks.llm.messages import reply as anthropic_reply
from tzzr_mocks.llm.messages import request as anthropic_request
from tzzr_mocks.llm.prompt import Prompt
from tzzr_mocks.llm.reading import read_object
from tzzr_mocks.llm.reply import Reply
from tzzr_mocks.llm.seed import CREATED, MODEL
from tzzr_mocks.llm.sending import Answered
from tzzr_mocks.llm.state import ModelState


def build_app(state: ModelState) -> Starlette:
    """The application over a model."""
    routes = [
        Route("/v1/chat/completions", _complete, methods=["POST"]),
        Route("/v1/messages", _message, methods=["POST"]),
        Route("/v1/messages/count_tokens", _count, methods=["POST"]),
        Route("/v1/models", _models, methods=["GET"]),
        Route("/v1/models/{model}", _model, methods=["GET"]),
    ]
    app = Starlette(routes=routes, exception_handlers={ModelError: _refuse, HTTPException: _refuse})
    app.state.model = state
    return app


async def _complete(request: Request) -> Response:
    state: ModelState = request.app.state.model
    let_in(request)
    given = read_object(await request.body())
    prompt = openai_request.read(given)
    check_model(prompt.model)
    head = openai_reply.Head(
        f"chatcmpl-{state.dice.hex(28)}", int(state.control.seams.clock.now().timestamp()), prompt.model
    )
    counted = (given.get("stream_options") or {}).get("include_usage") is True

    def written(reply: Reply) -> Answered:
        if prompt.stream:
            return Answered(events=openai_reply.chunks(head, prompt, reply, state.dice, counted))
        return Answered(whole=openai_reply.whole(head, prompt, reply, state.dice))

    return await sending.answer(state, request, prompt, written)


async def _message(request: Request) -> Response:
    state: ModelState = request.app.state.model
    prompt = await _anthropic_prompt(request, counting=False)
    identity = f"msg_{state.dice.hex(24)}"

    def written(reply: Reply) -> Answered:
        if prompt.stream:
            return Answered(events=anthropic_reply.events(identity, prompt, reply, state.dice))
        return Answered(whole=anthropic_reply.whole(identity, prompt, reply, state.dice))

    return await sending.answer(state, request, prompt, written)


async def _anthropic_prompt(request: Request, *, counting: bool) -> Prompt:
    let_in(request)
    if "anthropic-version" not in request.headers:
        raise ModelError(400, "The header anthropic-version is required.")
    prompt = anthropic_request.read(read_object(await request.body()), counting=counting)
    check_model(prompt.model, anthropic=True)
    return prompt


async def _count(request: Request) -> Response:
    prompt = await _anthropic_prompt(request, counting=True)
    return JSONResponse({"input_tokens": of_prompt(prompt)})


async def _models(request: Request) -> Response:
    let_in(request)
    one = _described(request)
    if is_anthropic(request):
        return JSONResponse({"data": [one], "has_more": False, "first_id": MODEL, "last_id": MODEL})
    return JSONResponse({"object": "list", "data": [one]})


async def _model(request: Request) -> Response:
    let_in(request)
    check_model(request.path_params["model"], anthropic=is_anthropic(request))
    return JSONResponse(_described(request))


def _described(request: Request) -> dict[str, Any]:
    if is_anthropic(request):
        created = datetime.fromtimestamp(CREATED, UTC).isoformat().replace("+00:00", "Z")
        return {"type": "model", "id": MODEL, "display_name": "TZZR fake", "created_at": created}
    return {"id": MODEL, "object": "model", "created": CREATED, "owned_by": "tzzr"}


async def _refuse(request: Request, error: Exception) -> Response:
    refused = error if isinstance(error, ModelError) else _of_http(error)
    if is_anthropic(request):
        state: ModelState = request.app.state.model
        identity = f"req_{state.dice.hex(24)}"
        return JSONResponse(anthropic_envelope(refused, identity), refused.status, {"request-id": identity})
    return JSONResponse(openai_envelope(refused), refused.status)


def _of_http(error: Exception) -> ModelError:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for these two
    return plain(error.status_code)
