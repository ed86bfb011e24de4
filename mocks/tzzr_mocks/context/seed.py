"""The Context Manager's named starting worlds: invented agents of an invented company."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tzzr_mocks.context.schemas import AgentContext, Fact, Turn

_ALFRED = AgentContext(
    agent_id="alfred",
    updated_at="2026-01-04T09:58:12.000Z",
    language="es",
    goals=["Clasificar las facturas de enero", "Avisar de los vencimientos de la semana"],
    facts=[
        Fact(key="empresa", value="Talleres Oihan, S.A.", source="usuario"),
        Fact(key="moneda", value="EUR", source="configuración"),
    ],
    recent=[
        Turn(role="user", text="¿Qué facturas vencen esta semana?", at="2026-01-04T09:57:40.000Z"),
        Turn(role="assistant", text="Vencen dos: F-2026-0003 y F-2026-0007.", at="2026-01-04T09:57:44.000Z"),
    ],
)
_CLARA = AgentContext(
    agent_id="clara_01",
    updated_at="2026-01-03T17:20:00.000Z",
    language="ca",
    goals=["Resumir les reunions"],
    facts=[Fact(key="equip", value="Logística", source="calendari")],
    recent=[],
)
_NUEVO = AgentContext(
    agent_id="nuevo", updated_at="2026-01-04T10:00:00.000Z", language="es", goals=[], facts=[], recent=[]
)


def _by_id(*agents: AgentContext) -> Mapping[str, AgentContext]:
    return MappingProxyType({agent.agent_id: agent for agent in agents})


STARTING: Mapping[str, Mapping[str, AgentContext]] = MappingProxyType(
    {"default": _by_id(_ALFRED, _CLARA, _NUEVO), "empty": _by_id()}
)
"""The agents of each starting world, by id."""
TOKEN = "context-offline-token"
"""The bearer token that the fake takes when it demands one."""
