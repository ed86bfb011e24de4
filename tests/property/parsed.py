"""What the public strategies draw, as the server's own models."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.translation import parse_request
from tzzr_scenarios.strategies import requests, responses


def asked(module: str | None = None) -> st.SearchStrategy[Request]:
    """A valid request, to `module` or to any."""
    return requests.valid(module).map(parse_request)


@st.composite
def answered(draw: st.DrawFn) -> tuple[Request, Any]:
    """A valid request, and a valid response to it as a document."""
    request = draw(requests.valid())
    return parse_request(request), draw(responses.valid(request))
