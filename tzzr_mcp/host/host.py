"""Layer 3, the MCP host: handshake, discovery, calls, goodbye - in that order, told line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp import types as t

from tzzr_mcp.host.client import Connection, Era, Target, connected
from tzzr_mcp.host.errors import HostError
from tzzr_mcp.host.forms import Ask, Say, filled
from tzzr_mcp.host.shown import arguments_line, printable, result_lines, tool_lines
from tzzr_mcp.seams.spelling import nearest

QUESTION: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("calculate_loan_amortization", {"principal": 250_000, "annualInterestRate": 12.5, "termMonths": 48}),
    (
        "analyze_investment_projection",
        {
            "initialCapital": 50_000,
            "monthlyContribution": 0,
            "annualReturnRate": 11,
            "timeHorizonYears": 4,
            "annualInflationRate": 4,
            "riskProfile": "moderate",
        },
    ),
)
"""What the proof of concept asks (seed 3): the cost of the loan, then what the capital would yield."""


@dataclass(frozen=True)
class Host:
    """One run of the host. ``ask`` puts a question to the person at the keyboard; EOFError from it ends the run."""

    where: Target
    say: Say
    ask: Ask
    era: Era = "auto"

    async def run(self, *, interactive: bool = False) -> bool:
        """The whole run; True when every tool that was called gave a result.

        Raises:
            HostError: no connection came about, it broke off, or the server refused a request.
        """
        self.say(f"connecting to {self.where}")
        async with connected(self.where, self.era) as connection:
            self._introduce(connection)
            tools = await self._discover(connection)
            well = await (self._converse if interactive else self._question)(connection, tools)
        self.say("disconnected")
        return well

    def _introduce(self, connection: Connection) -> None:
        server = connection.server
        name = f"{server.title or server.name} {server.version}" if server else "a server that does not say its name"
        self.say(printable(f"handshake: protocol {connection.protocol}, {name}"))
        for capability, options in connection.capabilities().items():
            self.say(printable(f"  capability {' '.join([capability, *options])}"))

    async def _discover(self, connection: Connection) -> Mapping[str, t.Tool]:
        tools = {tool.name: tool for tool in await connection.tools()}
        self.say(f"\ndiscovery: {len(tools)} {'tool' if len(tools) == 1 else 'tools'}")
        for tool in tools.values():
            for line in tool_lines(tool):
                self.say(f"  {line}")
        return tools

    async def _question(self, connection: Connection, tools: Mapping[str, t.Tool]) -> bool:
        missing = [name for name, _ in QUESTION if name not in tools]
        if missing:
            told = f"this server has no tool {' and no '.join(missing)}; start one with the plugin finance"
            raise HostError(f"{told}, or call its tools with --interactive")
        return all([await self._call(connection, name, arguments) for name, arguments in QUESTION])

    async def _call(self, connection: Connection, name: str, arguments: Mapping[str, Any]) -> bool:
        self.say(printable(f"\ncalling {name} {arguments_line(arguments)}"))
        result = await connection.call(name, arguments)
        if result.is_error:
            self.say("  the tool reports an error:")
        for line in result_lines(result):
            self.say(f"  {line}".rstrip())
        return not result.is_error

    async def _converse(self, connection: Connection, tools: Mapping[str, t.Tool]) -> bool:
        """Call what the person chooses until nothing is typed."""
        names = list(tools)
        while True:
            try:
                words = (await self.ask("\ntool (name or number, nothing to end)> ")).strip()
                if not words:
                    return True
                name = _chosen(words, names)
                if name is None:
                    self.say(_no_such(words, names))
                    continue
                arguments = await filled(tools[name].input_schema, self.ask, self.say)
            except EOFError:
                return True
            await self._call(connection, name, arguments)


def _chosen(words: str, names: Sequence[str]) -> str | None:
    if words.isdecimal() and 1 <= int(words) <= len(names):
        return names[int(words) - 1]
    return words if words in names else None


def _no_such(words: str, names: Sequence[str]) -> str:
    near = nearest(words, names)
    numbered = ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))
    return f"there is no tool {words!r}; {f'did you mean {near}?' if near else f'there are {numbered}'}"
