"""Proposals for a template's variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from mcp import MCPError
from mcp.types import PromptReference, ResourceTemplateReference

from tests.tzzr_mcp.server.tiny import ERAS, Era, a_plugin, read_self, talking
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.plugins.api import Call, Completer, Plugin, ResourceTemplate

both_eras = pytest.mark.parametrize("era", ERAS)
NAME = ResourceTemplateReference(type="ref/resource", uri="tiny://name/{name}")
PROMPT = PromptReference(type="ref/prompt", name="saluda")


def completing(completer: Completer) -> Plugin:
    """The tiny plugin with another completer of its template."""
    (template,) = a_plugin().templates
    return a_plugin(templates=(replace(template, complete={"name": completer}),))


def told_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says of proposals."""
    return [record.getMessage() for record in caplog.records if record.name == "tzzr_mcp.server.completion"]


@both_eras
async def test_at_most_a_hundred_proposals_come_best_first(era: Era) -> None:
    async with talking(era) as (client, _):
        completion = (await client.complete(NAME, {"name": "name", "value": "a"})).completion
    assert completion.values[:2] == ["a0", "a1"]
    assert (len(completion.values), completion.total, completion.has_more) == (100, 150, True)


@pytest.mark.parametrize(("many", "more"), [(99, False), (100, False), (101, True)])
async def test_there_are_more_where_there_are_more_than_a_hundred(many: int, more: bool) -> None:
    async def complete(call: Call[Any], prefix: str) -> Sequence[str]:
        return [f"{prefix}{number}" for number in range(many)]

    async with talking("auto", plugin=completing(complete)) as (client, _):
        completion = (await client.complete(NAME, {"name": "name", "value": "a"})).completion
    assert (len(completion.values), completion.total, completion.has_more) == (min(many, 100), many, more)


@both_eras
async def test_a_service_that_fails_gives_no_proposals_and_no_error(era: Era, caplog: pytest.LogCaptureFixture) -> None:
    async def busy(call: Call[Any], prefix: str) -> Sequence[str]:
        raise ContractError(Failure.of(Code.HST_UNREACHABLE, "El directorio no responde."))

    async with talking(era, plugin=completing(busy)) as (client, _):
        completion = (await client.complete(NAME, {"name": "name", "value": "a"})).completion
    assert (completion.values, completion.total, completion.has_more) == ([], 0, False)
    assert told_in(caplog) == ["no proposals: El directorio no responde."]


@both_eras
async def test_a_completer_that_breaks_is_no_error_for_who_types_and_its_exception_is_logged(
    era: Era, caplog: pytest.LogCaptureFixture
) -> None:
    async with talking(era) as (client, _):
        completion = (await client.complete(NAME, {"name": "name", "value": "crash"})).completion
    assert completion.values == []
    (told,) = told_in(caplog)
    assert told.startswith("no proposals: El servidor no pudo terminar por un error interno.")
    assert "swordfish" in caplog.text


@both_eras
async def test_a_completer_is_given_what_was_chosen_before_its_prefix_and_its_time(era: Era) -> None:
    seen: list[tuple[Any, str, float]] = []

    async def complete(call: Call[Any], prefix: str) -> Sequence[str]:
        seen.append((call.arguments, prefix, call.deadline.remaining()))
        return []

    async with talking(era, plugin=completing(complete)) as (client, _):
        await client.complete(NAME, {"name": "name", "value": "a"}, context_arguments={"coleccion": "libros"})
        await client.complete(NAME, {"name": "name", "value": "b"})
    assert seen == [({"coleccion": "libros"}, "a", 50), ({}, "b", 50)]


@both_eras
async def test_arguments_of_prompts_and_variables_without_completer_have_none(
    era: Era, caplog: pytest.LogCaptureFixture
) -> None:
    silent = ResourceTemplate("tiny://s/{a}", "s", "S", "Algo.", read_self)
    async with talking(era, plugin=a_plugin(templates=(*a_plugin().templates, silent))) as (client, _):
        ref = ResourceTemplateReference(type="ref/resource", uri="tiny://s/{a}")
        for where, name in ((PROMPT, "tono"), (ref, "a")):
            assert (await client.complete(where, {"name": name, "value": "x"})).completion.values == []
    assert told_in(caplog) == []


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


@both_eras
async def test_a_long_name_of_an_argument_is_cut_in_the_sentence_and_in_the_data(era: Era) -> None:
    async with talking(era) as (client, _):
        with pytest.raises(MCPError) as caught:
            await client.complete(PROMPT, {"name": "x" * 300, "value": ""})
    assert caught.value.error.message == f"No existe el argumento «{'x' * 80}». Existen: quien, tono."
    assert caught.value.error.data == {"argument": "x" * 200}
