"""Where the fakes are in a world in one process, and the keys that they take. Imports nothing, so that it is cheap.

A test holds the keys to those of the fakes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

HOSTS: Final[Mapping[str, str]] = MappingProxyType(
    {"grace": "grace.tzzr.test", "hst": "hst.tzzr.test", "context": "context.tzzr.test", "llm": "llm.tzzr.test"}
)
"""Service to host name; ``.test`` never resolves outside (RFC 6761)."""
BASE_URL: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "grace": ("GRACE_BASE_URL", "/v2"),
        "hst": ("HST_BASE_URL", ""),
        "context": ("CONTEXT_BASE_URL", ""),
        "llm": ("TZZR_MODEL_BASE_URL", "/v1"),
    }
)
"""Service to the variable that holds its base URL, and the path that follows the host in it."""


def base_urls(origins: Mapping[str, str]) -> dict[str, str]:
    """Variable to base URL, from each service's origin (``http://host:port``)."""
    return {BASE_URL[service][0]: f"{origin}{BASE_URL[service][1]}" for service, origin in origins.items()}


ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        **base_urls({service: f"http://{host}" for service, host in HOSTS.items() if service != "llm"}),
        "RUNPOD_API_KEY": "rpa_tzzr_offline",
        "GRACE_ENDPOINT_ID": "grace",
        "HST_TOKEN": "lab-reader-static-token-00000000002",
        "CONTEXT_TOKEN": "context-offline-token",
    }
)
"""Every variable that a server needs to reach the fakes of a world in its process."""
MODEL_ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        **base_urls({"llm": f"http://{HOSTS['llm']}"}),
        "TZZR_MODEL_API_KEY": "tzzr-offline-model-key",
        "TZZR_MODEL": "tzzr-fake",
    }
)
"""Every variable that the chat gateway needs to reach the model of a world in its process; no server reads it."""
