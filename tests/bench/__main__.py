"""Run every benchmark, or those named, and print their figures as one table."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from types import ModuleType

from rich.console import Console
from rich.table import Table

from tests.bench import catalogue, chain, sockets, start

BENCHES: dict[str, ModuleType] = {
    module.__name__.rpartition(".")[2]: module for module in (chain, catalogue, start, sockets)
}


def main(argv: Sequence[str] | None = None) -> None:
    """Run what the command line names."""
    chosen = _arguments().parse_args(argv).benches or BENCHES
    # What servers and fakes log of faults that they meet on purpose would otherwise go to the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    table = Table(title="mcp-server-tzzr, one run on this machine", title_justify="left")
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_column("ratio", justify="right")
    for name in chosen:
        for row in BENCHES[name].figures():
            table.add_row(*row)
    Console().print(table)


def _arguments() -> argparse.ArgumentParser:
    told = "\n".join(f"  {name:10} {(module.__doc__ or '').strip()}" for name, module in BENCHES.items())
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description=__doc__,
        epilog=f"benchmarks:\n{told}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("benches", nargs="*", choices=BENCHES, metavar="NAME", help="which; all if none")
    return parser


if __name__ == "__main__":
    main()
