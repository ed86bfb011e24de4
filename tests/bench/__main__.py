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
    benches = chosen(argv)
    # What servers and fakes log of faults that they meet on purpose would otherwise go to the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    table = Table(title="mcp-server-tzzr, one run on this machine", title_justify="left")
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_column("ratio", justify="right")
    for bench in benches:
        for row in bench.figures():
            table.add_row(*row)
    Console().print(table)


def chosen(argv: Sequence[str] | None) -> Sequence[ModuleType]:
    """What the command line names, or all; exits with 2 and a line for what is none."""
    return _arguments().parse_args(argv).benches or list(BENCHES.values())


def _named(name: str) -> ModuleType:
    if name not in BENCHES:
        raise argparse.ArgumentTypeError(f"there is no benchmark {name!r}; there are {', '.join(BENCHES)}")
    return BENCHES[name]


def _arguments() -> argparse.ArgumentParser:
    told = "\n".join(f"  {name:10} {(module.__doc__ or '').strip()}" for name, module in BENCHES.items())
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description=__doc__,
        epilog=f"benchmarks:\n{told}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("benches", nargs="*", type=_named, metavar="NAME", help="which; all if none")
    return parser


if __name__ == "__main__":
    main()
