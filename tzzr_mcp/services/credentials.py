"""Settings that become part of a request: refused at start when no request could be made of them."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator

from tzzr_mcp.checks.tokens import Token

__all__ = ["BaseUrl", "Token"]


def _base_url(value: str) -> str:
    """``value`` when requests can be sent below it."""
    try:
        parts = urlsplit(value)
        complete = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none, or a bracket that is not closed
        complete = False
    if not complete or re.search(r"[@?#\s]", value):
        raise ValueError("should be like https://host:8055/path, without user, password, query and fragment")
    return value


BaseUrl: TypeAlias = Annotated[str, AfterValidator(_base_url)]
"""The address of a service: http or https, a host, maybe a port and a path."""
