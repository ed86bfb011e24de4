"""TZZR_TOOL_TIMEOUTS: single tools may take longer, or less long, than the others."""

from __future__ import annotations

import pytest

from tests.tzzr_mcp.server.tiny import a_plugin, a_timeout, a_tool, meta_of, talking, text_of, wait
from tzzr_mcp.settings import CoreSettings, StartError, load_settings

SLOW = (a_tool(wait, name="slow"), a_tool(wait, name="other"))


@pytest.mark.parametrize(
    ("tool", "seconds", "answers"), [("slow", 70, True), ("other", 70, False), ("other", 40, True)]
)
async def test_a_tool_has_its_own_limit_and_the_others_the_common_one(tool: str, seconds: int, answers: bool) -> None:
    environ = {"TINY_KEY": "k", "TZZR_TOOL_TIMEOUTS": "slow=90"}
    async with talking("auto", *SLOW, environ=environ) as (client, _):
        result = await client.call_tool(tool, {"texto": str(seconds)})
    assert (text_of(result) == "hecho") is answers


async def test_the_client_shortens_that_limit_too() -> None:
    environ = {"TINY_KEY": "k", "TZZR_TOOL_TIMEOUTS": "slow=90"}
    async with talking("auto", *SLOW, environ=environ) as (client, _):
        result = await client.call_tool("slow", {"texto": "70"}, meta=a_timeout(10_000))
    assert meta_of(result)["tzzr/error"]["code"] == "INTERNAL"
    assert meta_of(result)["tzzr/durationMs"] == 12_000


def test_the_setting_is_read_as_tools_and_seconds() -> None:
    core = CoreSettings.model_validate({"TZZR_TOOL_TIMEOUTS": " ocr=120, transcribir = 0.5 ,"})
    assert core.timeouts() == {"ocr": 120, "transcribir": 0.5}
    assert CoreSettings.model_validate({}).timeouts() == {}


@pytest.mark.parametrize(
    "value", ["slow", "slow=", "slow=soon", "slow=0", "slow=-1", "slow=nan", "slow=inf", "slow=4000"]
)
def test_what_is_no_tool_with_seconds_is_refused_with_an_example(value: str) -> None:
    with pytest.raises(StartError, match=r"TZZR_TOOL_TIMEOUTS.*should be a tool, = and .*as in ocr=120"):
        load_settings([a_plugin(*SLOW)], {"TINY_KEY": "k", "TZZR_TOOL_TIMEOUTS": value})


def test_a_tool_that_no_plugin_has_is_told_with_the_nearest_name_beside_every_other_mistake() -> None:
    with pytest.raises(StartError) as caught:
        load_settings([a_plugin(*SLOW)], {"TZZR_TOOL_TIMEOUTS": "slwo=9", "TINY_SIZE": "x"})
    text = str(caught.value)
    assert "TZZR_TOOL_TIMEOUTS names 'slwo', no tool of the enabled plugins; did you mean slow?" in text
    assert "TINY_SIZE" in text
    assert "TINY_KEY is not set" in text
