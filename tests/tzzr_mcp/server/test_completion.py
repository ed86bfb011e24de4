"""Proposals for a template's variable."""

from __future__ import annotations

import pytest
from mcp import MCPError
from mcp.types import PromptReference, ResourceTemplateReference

from tests.tzzr_mcp.server.tiny import ERAS, Era, a_plugin, read_self, talking
from tzzr_mcp.plugins.api import ResourceTemplate

both_eras = pytest.mark.parametrize("era", ERAS)
NAME = ResourceTemplateReference(type="ref/resource", uri="tiny://name/{name}")
PROMPT = PromptReference(type="ref/prompt", name="saluda")


@both_eras
async def test_at_most_a_hundred_proposals_come_best_first(era: Era) -> None:
    async with talking(era) as (client, _):
        completion = (await client.complete(NAME, {"name": "name", "value": "a"})).completion
    assert completion.values[:2] == ["a0", "a1"]
    assert (len(completion.values), completion.total, completion.has_more) == (100, 150, True)


@both_eras
async def test_a_service_that_fails_gives_no_proposals_and_no_error(era: Era) -> None:
    async with talking(era) as (client, _):
        completion = (await client.complete(NAME, {"name": "name", "value": "crash"})).completion
    assert (completion.values, completion.total, completion.has_more) == ([], 0, False)


@both_eras
async def test_arguments_of_prompts_and_variables_without_completer_have_none(era: Era) -> None:
    silent = ResourceTemplate("tiny://s/{a}", "s", "S", "Algo.", read_self)
    async with talking(era, plugin=a_plugin(templates=(*a_plugin().templates, silent))) as (client, _):
        ref = ResourceTemplateReference(type="ref/resource", uri="tiny://s/{a}")
        for where, name in ((PROMPT, "tono"), (ref, "a")):
            assert (await client.complete(where, {"name": name, "value": "x"})).completion.values == []


@both_eras
@pytest.mark.parametrize(
    ("ref", "name", "told"),
    [
        (PROMPT.model_copy(update={"name": "salud"}), "x", 'No existe la plantilla "salud"; ¿quiso decir "saluda"?'),
        (PROMPT, "quienes", 'No existe el argumento «quienes»; ¿quiso decir "quien"?'),
        (NAME, "nombre", 'No existe el argumento «nombre»; ¿quiso decir "name"?'),
        (
            NAME.model_copy(update={"uri": "x:y"}),
            "x",
            'No existe la plantilla de recurso "x:y". Existen: tiny://name/{name}.',
        ),
    ],
)
async def test_what_is_not_there_is_a_protocol_error(
    era: Era, ref: PromptReference | ResourceTemplateReference, name: str, told: str
) -> None:
    async with talking(era) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.complete(ref, {"name": name, "value": ""})
    assert (caught.value.error.code, caught.value.error.message) == (-32602, told)
