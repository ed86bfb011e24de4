"""``/graphql``: which requests are none. The language itself is not covered; who asks is told so plainly."""

from __future__ import annotations

from tzzr_mocks.hst.errors import invalid_payload
from tzzr_mocks.hst.exchange import Answer, Call
from tzzr_mocks.hst.routes.router import Endpoint, Route
from tzzr_mocks.hst.routes.system import not_covered


async def graphql(call: Call) -> Answer:
    """``GET`` and ``POST /graphql``: 400 without a query, else 501."""
    given = call.body if call.method == "POST" else call.query
    if not isinstance(given, dict) or not isinstance(given.get("query"), str):
        raise invalid_payload("Must provide query string")
    raise not_covered(call)


async def graphql_specs(call: Call) -> Answer:
    """``GET /server/specs/graphql``: 501."""
    raise not_covered(call)


class GraphqlRoutes:
    """The endpoints of GraphQL."""

    def routes(self) -> tuple[Route, ...]:
        """The table."""
        asked: dict[str, Endpoint] = {"POST": graphql, "GET": graphql}
        told: dict[str, Endpoint] = {"GET": graphql_specs}
        return (
            Route("/graphql", asked),
            Route("/graphql/{scope}", asked),
            Route("/server/specs/graphql", told),
            Route("/server/specs/graphql/{scope}", told),
        )
