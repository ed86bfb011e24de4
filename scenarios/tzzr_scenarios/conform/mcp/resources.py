"""Resources and templates: what reading them gives (specification §4, contract §5)."""

from __future__ import annotations

import json
from typing import Any, Final

import httpx

from tzzr_scenarios.conform.mcp.book import BOOK, NEW
from tzzr_scenarios.conform.mcp.offered import MODULES
from tzzr_scenarios.conform.mcp.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

_READ: Final = ("tzzr://grace/modules", "tzzr://servers/status")
"""The resources that are there whatever is below the server."""
_SERVICE: Final = ("name", "kind", "base_url", "configured", "reachable", "latency_ms", "breaker", "detail")
_STRANGE: Final = "tzzr://no/such/resource"


async def _read(probe: Probe, uri: str) -> tuple[Answer, dict[str, Any]]:
    answer = await probe.ask("resources/read", {"uri": uri})
    contents = answer.listed("contents")
    if not contents:
        raise NotJudged(f"{uri} has no contents; see resources.contents")
    return answer, contents[0]


async def _json(probe: Probe, uri: str) -> tuple[Answer, Any]:
    answer, content = await _read(probe, uri)
    try:
        return answer, json.loads(str(content.get("text")))
    except ValueError as error:
        raise NotJudged(f"{uri} is no JSON; see resources.json") from error


@BOOK.rule("resources.contents", "MCP: resources/read")
async def reads_resources(probe: Probe) -> None:
    """Reading a resource gives ``contents`` with its ``uri`` and a ``text`` or a ``blob``."""
    for uri in _READ:
        answer = await probe.ask("resources/read", {"uri": uri})
        contents = answer.at("result", "contents")
        kept = isinstance(contents, list) and bool(contents) and all(_is_content(each) for each in contents)
        hold(answer, kept, "result.contents", [{"uri": uri, "text": "…"}], answer.trouble or contents)


def _is_content(content: Any) -> bool:
    return isinstance(content, dict) and any(isinstance(content.get(name), str) for name in ("text", "blob"))


@BOOK.rule("resources.uri", "MCP: resources/read")
async def says_which_resource_it_is(probe: Probe) -> None:
    """What was read carries the ``uri`` that was asked for."""
    for uri in _READ:
        answer, content = await _read(probe, uri)
        hold(answer, content.get("uri") == uri, "result.contents[0].uri", uri, content.get("uri", NOTHING))


@BOOK.rule("resources.json", "MCP: mimeType")
async def declares_json_as_json(probe: Probe) -> None:
    """What is declared as ``application/json`` is JSON."""
    for uri in _READ:
        answer, content = await _read(probe, uri)
        if content.get("mimeType") == "application/json":
            hold(
                answer, _is_json(content.get("text")), "result.contents[0].text", "JSON", str(content.get("text"))[:80]
            )


def _is_json(text: Any) -> bool:
    try:
        json.loads(text)
    except (TypeError, ValueError):
        return False
    return True


@BOOK.rule("resources.modules", "specification §4.1, contract §3")
async def lists_the_eighteen_modules(probe: Probe) -> None:
    """``tzzr://grace/modules`` names the eighteen modules."""
    answer, content = await _read(probe, "tzzr://grace/modules")
    missing = [name for name in MODULES if f'"{name}"' not in str(content.get("text"))]
    hold(answer, not missing, "result.contents[0].text", "eighteen modules", f"without {', '.join(missing)}")


@BOOK.rule("resources.status", "contract §5: tzzr://servers/status")
async def tells_how_the_services_are(probe: Probe) -> None:
    """``tzzr://servers/status`` has ``checked_at``, and for each of three ``services`` eight facts."""
    answer, told = await _json(probe, "tzzr://servers/status")
    told = told if isinstance(told, dict) else {}
    services = told.get("services")
    kept = isinstance(told.get("checked_at"), str) and isinstance(services, list) and len(services) >= 3
    hold(answer, kept, "checked_at, services", "a time, and three services", told)
    for service in services or ():
        missing = [name for name in _SERVICE if not isinstance(service, dict) or name not in service]
        hold(answer, not missing, "services[]", list(_SERVICE), f"without {', '.join(missing)}")


@BOOK.rule("resources.credentials", "contract §5: base_url (without credentials)")
async def tells_no_credentials(probe: Probe) -> None:
    """``base_url`` of a service names no user and no password."""
    answer, told = await _json(probe, "tzzr://servers/status")
    services = told.get("services", ()) if isinstance(told, dict) else ()
    for service in services:
        came = service.get("base_url") if isinstance(service, dict) else None
        hold(answer, not (isinstance(came, str) and httpx.URL(came).userinfo), "services[].base_url",
             "without credentials", "an address with credentials")  # fmt: skip


@BOOK.rule("resources.unknown", "MCP: resources/read")
async def knows_no_such_resource(probe: Probe) -> None:
    """A resource that there is not is error -32002 in 2025-11-25 and -32602 in 2026-07-28."""
    answer = await probe.ask("resources/read", {"uri": _STRANGE})
    expected = -32602 if probe.era >= NEW else -32002
    hold(answer, answer.code == expected, "error.code", expected, answer.code)


@BOOK.rule("resources.unknown-uri", "MCP: resources/read")
async def says_which_resource_it_does_not_know(probe: Probe) -> None:
    """That error's ``data.uri`` is the one that was asked for."""
    answer = await probe.ask("resources/read", {"uri": _STRANGE})
    if answer.code == NOTHING:
        raise NotJudged("it is no error; see resources.unknown")
    came = answer.at("error", "data", "uri")
    hold(answer, came == _STRANGE, "error.data.uri", _STRANGE, came)


@BOOK.rule("resources.no-uri", "JSON-RPC 2.0: invalid params")
async def wants_a_uri(probe: Probe) -> None:
    """``resources/read`` without ``uri`` is error -32602."""
    answer = await probe.ask("resources/read", {})
    hold(answer, answer.code == -32602, "error.code", -32602, answer.code)


@BOOK.rule("resources.no-tag", "specification §4.2")
async def knows_no_such_tag(probe: Probe) -> None:
    """``tzzr://hst/tag/{ref}`` with a reference that there is not is an error, not an empty resource."""
    answer = await probe.ask("resources/read", {"uri": "tzzr://hst/tag/no-such-ref-0000"})
    hold(answer, answer.code != NOTHING, "error", "an error", answer.at("result"))
