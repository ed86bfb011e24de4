"""HTTP in and out, no rule: one table of routes a file, and the router that reads them."""

from __future__ import annotations

from tzzr_mcp.seams import Clock
from tzzr_mocks.hst.routes.graphql import GraphqlRoutes
from tzzr_mocks.hst.routes.items import ItemRoutes
from tzzr_mocks.hst.routes.router import Route, Router
from tzzr_mocks.hst.routes.system import Describe, SystemRoutes
from tzzr_mocks.hst.routes.tokens import TokenRoutes
from tzzr_mocks.hst.state import State


def make_router(state: State, clock: Clock, describe: Describe) -> Router:
    """Every route of the fake; ``describe`` tells an account of them all."""
    tables = (ItemRoutes(state), TokenRoutes(state, clock), SystemRoutes(state, describe), GraphqlRoutes())
    return Router(route for table in tables for route in table.routes())


__all__ = ["Route", "Router", "make_router"]
