"""Validators of output schemas, kept from one session of the SDK's client for the next."""

from __future__ import annotations

import pytest
from mcp import ClientSession

from tzzr_scenarios import compiled
from tzzr_scenarios.compiled import share_compiled_schemas
from tzzr_scenarios.stage import staged


async def test_a_schema_is_compiled_once_for_all_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    compile_one = ClientSession._output_schema_validator

    def counted(session: ClientSession, name: str, schema: dict[str, object]) -> object:
        made.append(name)
        return compile_one(session, name, schema)

    monkeypatch.setattr(ClientSession, "_output_schema_validator", counted)
    monkeypatch.setattr(compiled, "_kept", {})
    for _ in range(3):
        async with staged() as stage, stage.client() as client:
            await client.call_tool("generar_hash", {"texto": "Hola"})
            await client.call_tool("generar_hash", {"texto": "Adiós"})

    assert made == ["generar_hash"]


async def test_a_result_that_does_not_fit_is_still_refused() -> None:
    async with staged() as stage, stage.client() as client:
        await client.list_tools()
        schemas = client.session._tool_output_schemas
        schemas["generar_hash"] = {"type": "object", "required": ["nothing of the kind"]}

        with pytest.raises(RuntimeError, match="nothing of the kind"):
            await client.call_tool("generar_hash", {"texto": "Hola"})


async def test_a_result_that_stops_fitting_is_refused_in_the_clients_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "WORTH_IT", 1)
    monkeypatch.setattr(compiled, "_kept", {})
    data = {"type": "object", "properties": {"algorithm": {"enum": ["sha256"]}}}
    async with staged() as stage, stage.client() as client:
        await client.list_tools()
        client.session._tool_output_schemas["generar_hash"] = {"type": "object", "properties": {"data": data}}
        fitting = await client.call_tool("generar_hash", {"texto": "Hola"})

        assert not fitting.is_error
        with pytest.raises(RuntimeError, match="'sha512' is not one of"):
            await client.call_tool("generar_hash", {"texto": "Hola", "algoritmo": "sha512"})


def test_a_client_without_the_private_method_compiles_its_own() -> None:
    class Other:
        pass

    other = Other()
    share_compiled_schemas(other)  # type: ignore[arg-type]  # an SDK that has changed

    assert vars(other) == {}
