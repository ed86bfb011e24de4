"""``tzzr new``: begins something that somebody else will go on with."""

from __future__ import annotations

import argparse
from types import ModuleType

from tzzr_scenarios.commands import new_plugin, new_scenario

_KINDS: dict[str, ModuleType] = {"plugin": new_plugin, "scenario": new_scenario}
"""What can be begun: a module each, with ``ABOUT`` (one line), ``arguments(parser)`` and ``main(options)``."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments: what is begun, and what that takes."""
    kinds = parser.add_subparsers(title="what", dest="kind", metavar="WHAT", required=True)
    for name, kind in _KINDS.items():
        kind.arguments(
            kinds.add_parser(
                name, help=kind.ABOUT, description=kind.ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
            )
        )


def main(options: argparse.Namespace) -> int:
    """Write it; 0 written, 2 it could not be."""
    code: int = _KINDS[options.kind].main(options)
    return code
