"""Print every benchmark as one table."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from tests.bench import catalogue, chain, sockets, start


def main() -> None:
    """Run all; each prints its rows as they come."""
    table = Table(title="mcp-server-tzzr, one run on this machine", title_justify="left")
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_column("ratio", justify="right")
    for bench in (chain, catalogue, start, sockets):
        for row in bench.figures():
            table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
