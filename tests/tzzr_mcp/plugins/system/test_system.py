"""The server about itself: its resources through a tool, and the state of the services."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from tests.tzzr_mcp.plugins.calls import FakeServer, a_call
from tests.tzzr_mcp.services.worlds import new_seams
from tzzr_mcp.contract.errors import ArgumentInvalid
from tzzr_mcp.output import Source, ToolOutput, output_schema
from tzzr_mcp.plugins.api import Call, Listed, ServiceStatus
from tzzr_mcp.plugins.system import plugin
from tzzr_mcp.plugins.system.resources import read_status
from tzzr_mcp.plugins.system.tools import SHOWN, explorar_recursos

MODULES = Listed("tzzr://grace/modules", "m", "Módulos", "Los 18 módulos.", "application/json", template=False)
TAG = Listed("tzzr://hst/tag/{ref}", "t", "Tag", "Un tag.", "application/json", template=True)
SERVER = FakeServer({MODULES: '{"total": 18}', TAG: ""})


async def explore(server: FakeServer = SERVER, **arguments: Any) -> ToolOutput:
    output = await explorar_recursos(a_call(None, new_seams(), arguments, server=server))
    jsonschema.validate(output.structured(), output_schema(plugin.tools[0].data_schema or {}))
    return output


async def test_without_a_uri_everything_is_listed_with_how_to_open_it() -> None:
    output = await explore()
    assert output.text.splitlines()[1:] == [
        "  tzzr://grace/modules · Módulos: Los 18 módulos.",
        "  tzzr://hst/tag/{ref} · Tag: Un tag.",
        "fuente: Servidor TZZR",
    ]
    assert [each["plantilla"] for each in output.data["recursos"]] == [False, True]
    assert [link.uri for link in output.links] == ["tzzr://grace/modules"]
    assert output.source.kind == "computation"


async def test_with_a_uri_its_content_is_given() -> None:
    output = await explore(uri="tzzr://grace/modules")
    assert output.text.splitlines()[1] == '{"total": 18}'
    assert output.data == {"recursos": [], "uri": "tzzr://grace/modules", "contenido": '{"total": 18}'}
    assert output.links[0].title == "Módulos"


async def test_what_a_fake_gave_is_called_simulated_and_named_by_its_own_source() -> None:
    class Faked(FakeServer):
        async def read(self, uri: str, call: Call[Any]) -> str:
            call.origins.append(Source("HST/Directus", "dataset", call.seams.clock.now(), simulated=True))
            return await super().read(uri, call)

    output = await explore(Faked({MODULES: "{}"}), uri="tzzr://grace/modules")
    assert (output.source.name, output.source.simulated) == ("HST/Directus", True)
    assert output.text.endswith("fuente: HST/Directus (simulado)")


async def test_a_long_content_is_cut_in_the_text_and_whole_in_the_data() -> None:
    content = "x" * (SHOWN + 1)
    output = await explore(FakeServer({MODULES: content}), uri="tzzr://grace/modules")
    assert "(se muestran 20.000 de 20.001 caracteres; el resto, en los datos)" in output.text
    assert output.data["contenido"] == content


async def test_the_instance_of_a_template_is_opened_under_its_own_uri() -> None:
    instance = Listed("tzzr://hst/tag/ES", "t", "Tag", "Un tag.", "application/json", template=False)

    class Hidden(FakeServer):
        def resources(self) -> list[Listed]:
            return [TAG]

    output = await explore(Hidden({instance: "{}"}), uri="tzzr://hst/tag/ES")
    assert output.links[0].title == "tzzr://hst/tag/ES"


async def test_a_template_is_not_opened_but_explained() -> None:
    with pytest.raises(ArgumentInvalid, match="es una plantilla"):
        await explore(uri="tzzr://hst/tag/{ref}")


async def test_an_unknown_uri_is_an_argument_that_is_refused() -> None:
    with pytest.raises(ArgumentInvalid) as caught:
        await explore(uri="tzzr://nada")
    assert caught.value.argument == "uri"
    assert caught.value.failure.details["accepted"] == ["tzzr://grace/modules", "tzzr://hst/tag/{ref}"]


@pytest.mark.parametrize("faked", [(), (0,), (1,), (0, 1)])
async def test_the_status_read_by_the_tool_is_simulated_when_any_service_is(faked: tuple[int, ...]) -> None:
    rows = [
        ServiceStatus("X", "HTTP", "http://x", configured=True, reachable=True, simulated=number in faked)
        for number in range(2)
    ]
    call = a_call(None, new_seams(), {}, server=FakeServer(rows=rows))
    document = await read_status(call)
    assert [source.simulated for source in call.origins] == [bool(faked)]
    assert "simulated" not in document


async def test_the_status_tells_when_and_how_each_service_is() -> None:
    row = ServiceStatus(
        "GRACE", "RunPod", "http://x", configured=True, reachable=False, latency_ms=3.0, detail="no contesta"
    )
    document = json.loads(await read_status(a_call(None, new_seams(), {}, server=FakeServer(rows=[row]))))
    assert document == {
        "checked_at": "2026-01-04T10:00:00.000Z",
        "services": [
            {
                "name": "GRACE",
                "kind": "RunPod",
                "base_url": "http://x",
                "configured": True,
                "reachable": False,
                "latency_ms": 3.0,
                "breaker": "closed",
                "detail": "no contesta",
            }
        ],
    }
