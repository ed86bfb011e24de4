"""A client whose requests are events of a trace, as the steps of a scenario are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, Final

from mcp import Client, MCPError

from tzzr_mcp.seams import Trace
from tzzr_scenarios.observation import of_tool

_ASKS: Final[Mapping[str, tuple[str, str]]] = {
    "call_tool": ("call", "name"),
    "read_resource": ("read", "uri"),
    "get_prompt": ("prompt", "name"),
    "complete": ("complete", "ref"),
}
"""Methods that are about one thing: the verb of a step, and the argument that names the thing."""
_LISTS: Final = ("tools", "resources", "resource_templates", "prompts")


def traced(client: Client, trace: Trace) -> Client:
    """The client itself, each of whose requests and answers is recorded from now on."""
    for method, (verb, argument) in _ASKS.items():
        setattr(client, method, _telling(getattr(client, method), trace, verb, argument))
    for what in _LISTS:
        setattr(client, f"list_{what}", _telling(getattr(client, f"list_{what}"), trace, "list", subject=what))
    return client


def _telling(
    ask: Callable[..., Awaitable[Any]], trace: Trace, verb: str, argument: str = "", subject: str = ""
) -> Callable[..., Awaitable[Any]]:
    @wraps(ask)
    async def asked(*given: Any, **named: Any) -> Any:
        about = subject or _named(given[0] if given else named.get(argument))
        trace.record("client", "request", verb=verb, subject=about)
        outcome = "cancelled"
        try:
            result = await ask(*given, **named)
            outcome = of_tool(result, 0.0).outcome if verb == "call" else "ok"
        except MCPError as error:
            outcome = str(error.code)
            raise
        except Exception as error:
            outcome = type(error).__name__
            raise
        finally:
            trace.record("client", "answer", verb=verb, subject=about, outcome=outcome)
        return result

    return asked


def _named(thing: Any) -> str:
    """A name or a URI, or that of the reference to something."""
    return str(getattr(thing, "uri", None) or getattr(thing, "name", None) or thing)
