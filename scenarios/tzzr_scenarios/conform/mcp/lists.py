"""Pages of lists: they end, they are the same each time, and a strange cursor is refused."""

from __future__ import annotations

from tzzr_scenarios.conform.mcp.book import BOOK
from tzzr_scenarios.conform.mcp.names import LISTS
from tzzr_scenarios.conform.mcp.probe import Probe
from tzzr_scenarios.conform.rule import hold


@BOOK.rule("lists.same", "MCP: lists")
async def lists_the_same_twice(probe: Probe) -> None:
    """A list that is asked for twice has the same items in the same order."""
    for method, member, key in LISTS:
        first = await probe.ask(method)
        again = await probe.send(method, {})
        before, after = ([item.get(key) for item in answer.listed(member)] for answer in (first, again))
        hold(again, before == after, f"result.{member}[].{key}", before, after)


@BOOK.rule("lists.cursor", "MCP: pagination")
async def refuses_a_strange_cursor(probe: Probe) -> None:
    """A cursor that the server never gave is error -32602."""
    for method, _, _ in LISTS:
        answer = await probe.ask(method, {"cursor": "no-such-cursor"})
        hold(answer, answer.code == -32602, "error.code", -32602, answer.code)


@BOOK.rule("lists.next", "MCP: pagination")
async def ends_its_pages(probe: Probe) -> None:
    """``nextCursor`` is a text where there is one, and the last page has none."""
    for method, member, _ in LISTS:
        await probe.every(method, member)
        answer = await probe.ask(method)
        came = answer.result.get("nextCursor")
        hold(answer, came is None or (isinstance(came, str) and bool(came)), "result.nextCursor", "a text", came)
