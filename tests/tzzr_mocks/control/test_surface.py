from __future__ import annotations

import pytest
from fastapi import APIRouter, FastAPI

from tzzr_mocks.control import Point, Surface


async def _nothing() -> None: ...


def _application() -> FastAPI:
    app = FastAPI()
    app.add_api_route("/v2/{endpoint_id}/run", _nothing, methods=["POST"])
    app.add_api_route("/v2/{endpoint_id}/files/{rest:path}", _nothing, methods=["GET", "DELETE"])
    app.add_api_route("/v2/hidden", _nothing, include_in_schema=False)
    return app


def test_an_included_router_is_refused_because_its_routes_are_hidden() -> None:
    app = FastAPI()
    app.include_router(APIRouter())
    with pytest.raises(TypeError, match="add them to the application itself"):
        Surface.of(app)


def test_the_routes_of_an_application_become_labels() -> None:
    surface = Surface.of(_application(), prefix="/v2/{endpoint_id}")

    assert set(surface.labels) == {"POST /run", "GET /files/{rest:path}", "DELETE /files/{rest:path}"}


def test_a_request_is_recognised_by_method_and_path() -> None:
    surface = Surface.of(_application(), prefix="/v2/{endpoint_id}")
    found = surface.occasion(Point.REPLY, "grace", {"method": "GET", "path": "/v2/e1/files/a/b.txt"}, b"")
    other = surface.occasion(Point.REPLY, "grace", {"method": "PUT", "path": "/v2/e1/run"}, b"")

    assert (found.route, found.endpoint) == ("GET /files/{rest:path}", "e1")
    assert (other.route, other.endpoint) == (None, None)


def test_a_request_belongs_to_the_call_that_its_trace_header_names() -> None:
    surface = Surface(("GET /a",))
    scope = {"method": "GET", "path": "/a", "headers": [(b"accept", b"*/*"), (b"X-Trace-Id", b"t-1")]}

    assert surface.occasion(Point.REPLY, "x", scope, b"").trace_id == "t-1"
    assert surface.occasion(Point.REPLY, "x", {"method": "GET", "path": "/a"}, b"").trace_id is None


def test_a_dot_in_a_path_is_a_dot() -> None:
    surface = Surface(("GET /a.b",))

    assert surface.occasion(Point.REPLY, "x", {"method": "GET", "path": "/axb"}, b"").route is None
