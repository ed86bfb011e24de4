"""Whatever a model does, a turn ends well: one ``done``, every tool finished, a conversation that can go on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from tests.tzzr_mcp.gateway.scripted import ScriptedModel, a_gateway, events_of, question
from tests.tzzr_mcp.server.tiny import a_tool, crash, echo, refuse, sourceless, wait
from tzzr_mcp.gateway.conversation import SYSTEM, exchanges
from tzzr_mcp.gateway.events import EVENT, DoneEvent, Event, as_json
from tzzr_mcp.gateway.models import Delta, Ended, ModelError, Output, ToolRequest, Used
from tzzr_mcp.gateway.models.anthropic import request as as_messages
from tzzr_mcp.gateway.models.failures import SENTENCES
from tzzr_mcp.gateway.models.openai import request as as_completions
from tzzr_mcp.gateway.settings import Limits
from tzzr_mocks.network.virtual import new_virtual_loop

TOOLS = {"echo": echo, "wait": wait, "refuse": refuse, "crash": crash, "sourceless": sourceless}
TEXTS = st.text(max_size=20)
ARGUMENTS = st.one_of(
    st.sampled_from(
        ['{"texto": "7"}', '{"texto": "x", "veces": 2}', "{}", "", "null", "{", '{"texto": 5}', "[" * 2000]
    ),
    st.dictionaries(TEXTS, st.integers() | TEXTS, max_size=2).map(json.dumps),
    TEXTS,
)
REQUESTS = st.builds(
    ToolRequest, st.sampled_from(["a", "b", "", "x" * 300]), st.sampled_from([*TOOLS, "ecco", ""]) | TEXTS, ARGUMENTS
)
FAILURES = st.sampled_from(sorted(SENTENCES)).map(ModelError) | st.just(RuntimeError("swordfish"))
OUTPUTS: st.SearchStrategy[Output | Exception] = st.one_of(
    st.builds(Delta, TEXTS),
    REQUESTS,
    REQUESTS,
    st.builds(Used, st.integers(0, 60_000), st.integers(0, 60_000)),
    st.builds(Ended, st.sampled_from(["stop", "length", "refused"])),
    FAILURES,
)
STEPS = st.lists(st.lists(OUTPUTS, max_size=6), min_size=1, max_size=6)
LIMITS = st.builds(
    Limits,
    rounds=st.integers(1, 5),
    tool_calls=st.integers(1, 6),
    timeout_s=st.sampled_from([3.0, 120.0]),
    tokens=st.sampled_from([1000, 200_000]),
)


async def _played(steps: Sequence[Any], limits: Limits) -> list[Event]:
    tools = [a_tool(run, name=name) for name, run in TOOLS.items()]
    async with a_gateway(ScriptedModel(steps), *tools, limits=limits) as gateway:
        return await events_of(gateway, "Pregunta")


@given(STEPS, LIMITS)
def test_every_turn_ends_well(steps: list[list[Any]], limits: Limits) -> None:
    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        events = runner.run(_played(steps, limits))
    last = events[-1]
    assert isinstance(last, DoneEvent)
    event(last.stopped)
    kinds = [each.type for each in events]
    assert kinds.count("done") == 1
    assert kinds.count("error") == (last.stopped != "answer")
    assert last.rounds <= limits.rounds
    assert last.tool_calls <= limits.tool_calls
    _check_calls(events, over_time=any(each.type == "error" and each.code == "LIMIT_TIME" for each in events))
    _check_conversation(last)
    told = [as_json(each) for each in events]
    assert [EVENT.validate_json(each) for each in told] == events
    assert "swordfish" not in "".join(told)


def _check_calls(events: Sequence[Event], *, over_time: bool) -> None:
    started = [each.call for each in events if each.type == "tool" and each.phase == "started"]
    finished = [each.call for each in events if each.type == "tool" and each.phase == "finished"]
    assert len(set(started)) == len(started)
    assert set(finished) <= set(started)
    assert over_time or set(finished) == set(started)


def _check_conversation(last: DoneEvent) -> None:
    """What ``done`` gives is a conversation that the gateway takes, and that both APIs take."""
    conversation = exchanges([question("Pregunta"), *last.messages, question("¿Y?")])
    completions = as_completions(SYSTEM, conversation, [])["messages"]
    asked = [call["id"] for message in completions for call in message.get("tool_calls", ())]
    told = [message["tool_call_id"] for message in completions if message["role"] == "tool"]
    assert asked == told
    roles = [message["role"] for message in as_messages(SYSTEM, conversation, [])["messages"]]
    assert all(one != next_one for one, next_one in pairwise(roles))
    assert (roles[0], roles[-1]) == ("user", "user")
