"""Prompts: exactly the declared arguments, filled in once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import MCPError
from mcp.types import GetPromptResult, TextContent

from tests.tzzr_mcp.server.tiny import ERAS, Era, a_plugin, talking
from tzzr_mcp.server.prompts import rendered

both_eras = pytest.mark.parametrize("era", ERAS)


def said(result: GetPromptResult) -> str:
    (message,) = result.messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return message.content.text


@both_eras
async def test_prompts_are_listed_with_their_arguments(era: Era) -> None:
    async with talking(era) as (client, _):
        (prompt,) = (await client.list_prompts()).prompts
    assert (prompt.name, prompt.title, prompt.description) == ("saluda", "Saluda", "Saluda a alguien.")
    assert [(each.name, each.description, each.required) for each in prompt.arguments or []] == [
        ("quien", "A quién.", True),
        ("tono", "Cómo.", False),
    ]


@both_eras
async def test_prompts_come_in_pages(era: Era) -> None:
    prompts = tuple(replace(a_plugin().prompts[0], name=name) for name in "abc")
    async with talking(era, plugin=a_plugin(prompts=prompts), page_size=2) as (client, _):
        first = await client.list_prompts()
        second = await client.list_prompts(cursor=first.next_cursor)
    assert [[prompt.name for prompt in page.prompts] for page in (first, second)] == [["a", "b"], ["c"]]
    assert second.next_cursor is None


@both_eras
async def test_a_prompt_is_filled_in_and_its_optional_paragraph_comes_only_with_its_argument(era: Era) -> None:
    async with talking(era) as (client, _):
        result = await client.get_prompt("saluda", {"quien": "Ana", "tono": " "})
        long = said(await client.get_prompt("saluda", {"quien": "Ana", "tono": "cordial"}))
    short = said(result)
    assert result.description == "Saluda a alguien."
    assert short == 'Saluda a Ana. Literal: {"json": 1} {}'
    assert long == f"{short}\n\nCon tono cordial."


@both_eras
@pytest.mark.parametrize(
    ("name", "arguments", "told", "data"),
    [
        ("salud", {}, 'No existe la plantilla "salud"; ¿quiso decir "saluda"?', {"name": "salud"}),
        (
            "saluda",
            {},
            "A la plantilla «saluda» le falta el argumento obligatorio «quien»: A quién.",
            {"argument": "quien"},
        ),
        (
            "saluda",
            {"quien": " "},
            "A la plantilla «saluda» le llega vacío el argumento obligatorio «quien»: A quién.",
            {"argument": "quien"},
        ),
        (
            "saluda",
            {"quien": "Ana", "tonno": "x"},
            'La plantilla «saluda» no tiene el argumento «tonno»; ¿quiso decir "tono"?',
            {"argument": "tonno"},
        ),
        (
            "saluda",
            {"z" * 300: "x"},
            f"La plantilla «saluda» no tiene el argumento «{'z' * 80}». Existen: quien, tono.",
            {"argument": "z" * 200},
        ),
    ],
)
async def test_a_mistake_is_a_protocol_error_in_words(
    era: Era, name: str, arguments: dict[str, Any], told: str, data: dict[str, str]
) -> None:
    async with talking(era) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.get_prompt(name, arguments)
    assert (caught.value.error.code, caught.value.error.message) == (-32602, told)
    assert caught.value.error.data == data


def test_the_place_of_an_argument_that_is_not_given_stays_empty() -> None:
    prompt = replace(a_plugin().prompts[0], template="Saluda{tono}a {quien}.", optional={})
    assert rendered(prompt, {"quien": "Ana"}) == "Saludaa Ana."


@given(st.text(), st.text())
def test_what_an_argument_holds_is_never_read_as_a_template(who: str, tone: str) -> None:
    prompt = a_plugin().prompts[0]
    text = rendered(prompt, {"quien": who, "tono": tone})
    assert text == f'Saluda a {who}. Literal: {{"json": 1}} {{}}\n\nCon tono {tone}.'
