"""Streamable HTTP: statuses, headers and sessions."""

from __future__ import annotations

from collections.abc import Mapping

from tzzr_scenarios.conform.mcp.book import BOOK, NEW, OLD
from tzzr_scenarios.conform.mcp.probe import Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold


async def _raw(probe: Probe, content: str, headers: Mapping[str, str] | None = None) -> Answer:
    await probe.ask("tools/list")
    heard = await probe.wire.send(content, {**probe.headers({"method": "tools/list"}), **(headers or {})})
    probe.last = Answer({"content": content}, heard)
    return probe.last


def _refused(answer: Answer, *statuses: int) -> None:
    hold(answer, answer.heard.status in statuses, "status", " or ".join(map(str, statuses)), answer.heard.status)


@BOOK.rule("http.json", "Streamable HTTP; JSON-RPC 2.0", only=["http"])
async def refuses_what_is_no_json(probe: Probe) -> None:
    """A body that is not JSON is HTTP 400."""
    _refused(await _raw(probe, '{"jsonrpc": '), 400)


@BOOK.rule("http.batch", "Streamable HTTP: a body is one message", only=["http"])
async def refuses_a_batch(probe: Probe) -> None:
    """A list of messages is HTTP 400: batches are gone since 2025-06-18."""
    _refused(await _raw(probe, '[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]'), 400)


@BOOK.rule("http.media-type", "Streamable HTTP", only=["http"])
async def refuses_another_media_type(probe: Probe) -> None:
    """A body that is not declared as ``application/json`` is HTTP 400 or 415."""
    await probe.ask("tools/list")
    _refused(await probe.deliver(probe.message("tools/list", {}), {"content-type": "text/plain"}), 400, 415)


@BOOK.rule("http.origin", "Streamable HTTP: security", only=["http"])
async def refuses_a_foreign_origin(probe: Probe) -> None:
    """A request from a page of another origin is HTTP 403."""
    await probe.ask("tools/list")
    _refused(await probe.deliver(probe.message("tools/list", {}), {"origin": "http://evil.example"}), 403)


@BOOK.rule("http.answer", "Streamable HTTP", only=["http"])
async def answers_in_a_known_form(probe: Probe) -> None:
    """A response comes as ``application/json`` or ``text/event-stream``."""
    answer = await probe.ask("tools/list")
    came = answer.heard.headers.get("content-type", "").partition(";")[0]
    hold(answer, came in ("application/json", "text/event-stream"), "content-type",
         "application/json or text/event-stream", came)  # fmt: skip


@BOOK.rule("http.notification", "Streamable HTTP: notifications", only=[OLD, "http"])
async def accepts_a_notification(probe: Probe) -> None:
    """A notification is HTTP 202 without a body."""
    await probe.ask("tools/list")
    answer = await probe.notify("notifications/initialized")
    hold(answer, answer.heard.status == 202, "status", 202, answer.heard.status)
    hold(answer, not answer.heard.body.strip(), "body", "", answer.heard.body)


@BOOK.rule("http.session", "2025-11-25, sessions", only=[OLD, "http"])
async def knows_no_such_session(probe: Probe) -> None:
    """A session that there is not is HTTP 404, so that the client begins anew."""
    await probe.ask("tools/list")
    if probe.wire.session is None:
        raise NotJudged("the server keeps no sessions, which is its right")
    _refused(await probe.deliver(probe.message("tools/list", {}), {"mcp-session-id": "0" * 32}), 404)


@BOOK.rule("http.version", "2025-11-25, protocol version header", only=[OLD, "http"])
async def refuses_a_strange_version_header(probe: Probe) -> None:
    """An unknown ``MCP-Protocol-Version`` is HTTP 400."""
    await probe.ask("tools/list")
    _refused(await probe.deliver(probe.message("tools/list", {}), {"mcp-protocol-version": "1999-01-01"}), 400)


@BOOK.rule("http.method-status", "2026-07-28, statuses", only=[NEW, "http"])
async def tells_errors_by_their_status(probe: Probe) -> None:
    """Error -32601 is HTTP 404, error -32602 is HTTP 400."""
    _refused(await probe.ask("no/such_method"), 404)
    _refused(await probe.ask("prompts/get", {"name": "no_such_prompt"}), 400)


@BOOK.rule("http.method-header", "2026-07-28, request headers", only=[NEW, "http"])
async def refuses_a_method_that_differs(probe: Probe) -> None:
    """``Mcp-Method`` that differs from the body is HTTP 400 with error -32020."""
    await probe.ask("tools/list")
    answer = await probe.deliver(probe.message("tools/list", {}), {"mcp-method": "prompts/list"})
    _refused(answer, 400)
    hold(answer, answer.code == -32020, "error.code", -32020, answer.code)


@BOOK.rule("http.name-header", "2026-07-28, request headers", only=[NEW, "http"])
async def refuses_a_name_that_differs(probe: Probe) -> None:
    """``Mcp-Name`` that differs from the body is HTTP 400 with error -32020."""
    await probe.ask("tools/list")
    message = probe.message("tools/call", {"name": "clasificar", "arguments": {}})
    answer = await probe.deliver(message, {"mcp-name": "resumir"})
    _refused(answer, 400)
    hold(answer, answer.code == -32020, "error.code", -32020, answer.code)


@BOOK.rule("http.version-header", "2026-07-28, request headers", only=[NEW, "http"])
async def refuses_a_version_that_differs(probe: Probe) -> None:
    """``MCP-Protocol-Version`` that differs from ``_meta`` is HTTP 400 with error -32020."""
    await probe.ask("tools/list")
    answer = await probe.deliver(probe.message("tools/list", {}), {"mcp-protocol-version": "2099-01-01"})
    hold(answer, answer.code == -32020, "error.code", -32020, answer.code)
