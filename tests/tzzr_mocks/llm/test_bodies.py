"""Whatever a body is, the model's fake answers, or says in the API's envelope what is wrong."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.llm.completions import request as completions
from tzzr_mocks.llm.messages import request as messages
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_mocks.world import World

PLAIN: dict[str, Any] = {"model": "tzzr-fake", "messages": [{"role": "user", "content": "Hola"}]}
LEND = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
TOOLS: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {"tools": [{"type": "function", "function": {"name": "f", "parameters": LEND}}]},
    "/v1/messages": {"tools": [{"name": "f", "input_schema": LEND}], "max_tokens": 9},
}
FIELDS = {"/v1/chat/completions": completions.FIELDS, "/v1/messages": messages.FIELDS}
_NAMES = (
    "type", "text", "role", "content", "name", "function", "parameters", "input_schema", "properties", "required",
    "description", "tool_calls", "id", "arguments", "tool_use_id", "input",
)  # fmt: skip
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.text(max_size=3)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=3),
    max_leaves=5,
)


def asked(path: str, *bodies: Any) -> list[httpx.Response]:
    """The answers to bodies, one after the other."""

    async def ask() -> list[httpx.Response]:
        async with World() as world, httpx.AsyncClient(transport=world.transport) as client:
            headers = {"x-api-key": world.environment["TZZR_MODEL_API_KEY"], "anthropic-version": "2023-06-01"}
            url = world.environment["TZZR_MODEL_BASE_URL"].removesuffix("/v1") + path
            return [await client.post(url, json=body, headers=headers) for body in bodies]

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(ask())


@st.composite
def spoilt(draw: st.DrawFn, path: str) -> Any:
    """A body of which one value, somewhere, is another."""
    whole = {**PLAIN, **TOOLS[path]}
    name = draw(st.sampled_from(sorted(FIELDS[path])))
    return _put(draw, whole, name) if name in whole else {**whole, name: draw(VALUES)}


def _put(draw: st.DrawFn, value: Any, key: Any) -> Any:
    """``value`` with another value at ``key``, or below it."""
    inner = value[key]
    keys = list(inner) if isinstance(inner, dict) else list(range(len(inner))) if isinstance(inner, list) else []
    deeper = bool(keys) and draw(st.booleans())
    changed = _put(draw, inner, draw(st.sampled_from(keys))) if deeper else draw(VALUES)
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[key] = changed
    return copied


@pytest.mark.parametrize("path", FIELDS)
@given(st.data())
def test_no_body_makes_the_model_fail(path: str, data: st.DataObject) -> None:
    bodies = [data.draw(spoilt(path)) for _ in range(8)]
    for answer in asked(path, *bodies):
        assert answer.status_code in (200, 400, 404), answer.text
        assert answer.status_code == 200 or answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "plain"), [("/v1/chat/completions", completions.PLAIN), ("/v1/messages", messages.PLAIN)]
)
def test_a_parameter_that_steers_nothing_is_refused_all_the_same_when_its_value_cannot_be(
    path: str, plain: Any
) -> None:
    body = {**PLAIN, **TOOLS[path]}
    refused = asked(path, *({**body, name: 10**30 if "minimum" in schema else 0.5} for name, schema in plain.items()))
    empty = asked(path, *({**body, name: None} for name in plain))

    assert [answer.status_code for answer in refused] == [400] * len(plain)
    assert all(name in answer.json()["error"]["message"] for name, answer in zip(plain, refused, strict=True))
    assert [answer.status_code for answer in empty] == [200] * len(plain)
