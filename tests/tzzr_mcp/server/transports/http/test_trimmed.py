"""Blanks around a header's value are no part of it, whatever the parser leaves in place (RFC 9110 §5.5)."""

from __future__ import annotations

import json

import pytest

from tests.tzzr_mcp.server.transports.http.reaching import served
from tests.tzzr_mcp.server.transports.http.test_limits import everything

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
CALL = {"name": "echo", "arguments": {"texto": "a"}, "_meta": META}
BODY = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL}).encode()
HEAD = b"""\
POST /mcp HTTP/1.1\r
Host: localhost\r
Content-Type: application/json\r
Accept: application/json, text/event-stream\r
Mcp-Protocol-Version: 2026-07-28\r
Mcp-Method: tools/call \t\r
Connection: close\r
"""


@pytest.mark.parametrize(
    ("name", "status"),
    [(b"echo", b"200"), (b"echo  \t", b"200"), (b"other", b"400"), (b"echoX", b"400"), (b"echo\x0c", b"400")],
)
async def test_the_tool_s_name_in_the_header_may_have_blanks_behind_it_and_nothing_else(
    name: bytes, status: bytes
) -> None:
    length = str(len(BODY)).encode()
    async with served() as reach:
        connection = reach.connection()
        await connection.write(HEAD + b"Mcp-Name: " + name + b"\r\nContent-Length: " + length + b"\r\n\r\n" + BODY)
        told = await everything(connection)
    assert told.startswith(b"HTTP/1.1 " + status), told
