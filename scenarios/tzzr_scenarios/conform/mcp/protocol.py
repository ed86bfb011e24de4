"""The handshake and JSON-RPC, in both eras."""

from __future__ import annotations

from typing import Any, Final

from tzzr_scenarios.conform.mcp.book import BOOK, NEW, OLD
from tzzr_scenarios.conform.mcp.probe import META, NOTHING, Answer, Probe, hello
from tzzr_scenarios.conform.rule import NotJudged, hold

_LISTS: Final = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")


def _greeting(probe: Probe) -> Answer:
    if probe.greeting is None:
        raise NotJudged("the server was not greeted")
    probe.last = probe.greeting
    return probe.greeting


async def _several(probe: Probe) -> list[Answer]:
    """Answers of every kind: lists, a resource, a result, and errors."""
    asked: list[tuple[str, dict[str, Any]]] = [(method, {}) for method in _LISTS]
    asked.append(("resources/read", {"uri": "tzzr://grace/modules"}))
    asked.append(("prompts/get", {"name": "no_such_prompt"}))
    asked.append(("tools/call", {"name": "clasificar", "arguments": {}}))
    return [await probe.ask(method, params) for method, params in asked]


@BOOK.rule("era.initialize", "2025-11-25, lifecycle", only=[OLD])
async def greets(probe: Probe) -> None:
    """``initialize`` agrees on 2025-11-25, and tells capabilities and who the server is."""
    answer = _greeting(probe)
    came = answer.at("result", "protocolVersion")
    hold(answer, came == OLD, "result.protocolVersion", OLD, answer.trouble or came)
    for name in ("capabilities", "serverInfo"):
        hold(
            answer,
            isinstance(answer.at("result", name), dict),
            f"result.{name}",
            "an object",
            answer.at("result", name),
        )


@BOOK.rule("era.server-info", "2025-11-25, lifecycle", only=[OLD])
async def says_who_it_is(probe: Probe) -> None:
    """``serverInfo`` has a name and a version."""
    answer = _greeting(probe)
    for name in ("name", "version"):
        came = answer.at("result", "serverInfo", name)
        kept = isinstance(came, str) and bool(came) and came != NOTHING
        hold(answer, kept, f"result.serverInfo.{name}", "a text", came)


@BOOK.rule("era.negotiates", "2025-11-25, version negotiation", only=[OLD, "http"])
async def answers_a_strange_version_with_its_own(probe: Probe) -> None:
    """``initialize`` with an unknown version is answered with one that the server speaks."""
    session, probe.wire.session = probe.wire.session, None
    try:
        answer = await probe.send("initialize", hello("1999-01-01"))
    finally:
        probe.wire.session = session
    came = answer.at("result", "protocolVersion")
    kept = isinstance(came, str) and came not in (NOTHING, "1999-01-01")
    hold(answer, kept, "result.protocolVersion", f"such as {OLD}", came)


@BOOK.rule("era.discover", "2026-07-28, discovery", only=[NEW])
async def discovers(probe: Probe) -> None:
    """``server/discover`` lists 2026-07-28 in ``supportedVersions``, and tells capabilities."""
    answer = _greeting(probe)
    came = answer.at("result", "supportedVersions")
    hold(answer, isinstance(came, list) and NEW in came, "result.supportedVersions", [NEW], answer.trouble or came)
    came = answer.at("result", "capabilities")
    hold(answer, isinstance(came, dict), "result.capabilities", "an object", came)


@BOOK.rule("era.capabilities", "capabilities")
async def declares_what_it_has(probe: Probe) -> None:
    """The capabilities ``tools``, ``resources`` and ``prompts`` are declared."""
    answer = _greeting(probe)
    came = answer.at("result", "capabilities")
    missing = {"tools", "resources", "prompts"} - (came.keys() if isinstance(came, dict) else set())
    hold(
        answer, not missing, "result.capabilities", "prompts, resources, tools", f"without {', '.join(sorted(missing))}"
    )


@BOOK.rule("era.ping", "2025-11-25, ping", only=[OLD])
async def answers_a_ping(probe: Probe) -> None:
    """``ping`` is answered with an empty result."""
    answer = await probe.ask("ping")
    hold(answer, answer.at("result") == {}, "result", {}, answer.at("result"))


@BOOK.rule("era.version-refused", "2026-07-28, versions", only=[NEW])
async def refuses_a_strange_version(probe: Probe) -> None:
    """A request of an unknown version is error -32022, whose data lists the supported ones."""
    message = probe.message("tools/list", {})
    message["params"]["_meta"][f"{META}/protocolVersion"] = "2099-01-01"
    answer = await probe.deliver(message, {"mcp-protocol-version": "2099-01-01"})
    hold(answer, answer.code == -32022, "error.code", -32022, answer.code)
    came = answer.at("error", "data", "supported")
    hold(answer, isinstance(came, list) and NEW in came, "error.data.supported", [NEW], came)


@BOOK.rule("era.meta", "2026-07-28, per-request fields", only=[NEW])
async def wants_the_fields_of_every_request(probe: Probe) -> None:
    """A request whose ``_meta`` lacks the client's capabilities is error -32602."""
    message = probe.message("tools/list", {})
    del message["params"]["_meta"][f"{META}/clientCapabilities"]
    answer = await probe.deliver(message)
    hold(answer, answer.code == -32602, "error.code", -32602, answer.code)


@BOOK.rule("era.result-type", "2026-07-28, results", only=[NEW])
async def says_that_a_result_is_whole(probe: Probe) -> None:
    """Every result has ``resultType``, which is "complete" unless input is asked for."""
    for answer in await _several(probe):
        if isinstance(answer.at("result"), dict):
            came = answer.at("result", "resultType")
            hold(answer, came == "complete", "result.resultType", "complete", came)


@BOOK.rule("era.cache", "2026-07-28, caching", only=[NEW])
async def says_how_long_a_list_holds(probe: Probe) -> None:
    """Lists and resources carry ``ttlMs``, a whole number, and ``cacheScope``, public or private."""
    asked = [*((method, {}) for method in _LISTS), ("resources/read", {"uri": "tzzr://grace/modules"})]
    for method, params in asked:
        answer = await probe.ask(method, params)
        ttl, scope = answer.result.get("ttlMs", NOTHING), answer.result.get("cacheScope", NOTHING)
        hold(answer, isinstance(ttl, int) and ttl >= 0, "result.ttlMs", "a whole number from 0 on", ttl)
        hold(answer, scope in ("public", "private"), "result.cacheScope", "public or private", scope)


@BOOK.rule("rpc.version", "JSON-RPC 2.0")
async def speaks_json_rpc(probe: Probe) -> None:
    """Every response has ``jsonrpc`` "2.0"."""
    for answer in await _several(probe):
        hold(answer, answer.at("jsonrpc") == "2.0", "jsonrpc", "2.0", answer.at("jsonrpc"))


@BOOK.rule("rpc.id", "JSON-RPC 2.0")
async def answers_with_the_same_id(probe: Probe) -> None:
    """A response has the request's ``id``, also when that is a text."""
    await probe.ask("tools/list")
    answer = await probe.deliver(probe.message("tools/list", {}, "uno-1"))
    hold(answer, answer.at("id") == "uno-1", "id", "uno-1", answer.at("id"))


@BOOK.rule("rpc.either", "JSON-RPC 2.0")
async def gives_a_result_or_an_error(probe: Probe) -> None:
    """A response has either a ``result`` or an ``error``, never both."""
    for answer in await _several(probe):
        both = [name for name in ("result", "error") if answer.at(name) != NOTHING]
        hold(answer, len(both) == 1, "result, error", "one of them", answer.trouble or both)


@BOOK.rule("rpc.method", "JSON-RPC 2.0")
async def knows_no_such_method(probe: Probe) -> None:
    """A method that there is not is error -32601."""
    answer = await probe.ask("no/such_method")
    hold(answer, answer.code == -32601, "error.code", -32601, answer.code)


@BOOK.rule("rpc.error", "JSON-RPC 2.0")
async def tells_errors_in_form(probe: Probe) -> None:
    """An error has a whole number as ``code`` and a text as ``message``."""
    for answer in (await probe.ask("no/such_method"), *await _several(probe)):
        error = answer.at("error")
        if error != NOTHING:
            kept = isinstance(error, dict) and isinstance(error.get("code"), int) and bool(error.get("message"))
            hold(answer, kept, "error", {"code": -32601, "message": "…"}, error)
