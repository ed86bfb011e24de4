"""``tzzr conform``: holds a real upstream to what was recorded of one, to see whether the fake drifts from it."""

from __future__ import annotations

import argparse

from tzzr_scenarios.commands import conform_hst

_SERVICES = {"hst": conform_hst}
_EPILOG = """\
examples:
  HST_TOKEN=… tzzr conform hst --url https://hst.example
  tzzr conform hst --help
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments: a service, and what that service takes."""
    parser.epilog = _EPILOG
    services = parser.add_subparsers(title="services", dest="service", metavar="SERVICE", required=True)
    for name, service in _SERVICES.items():
        about = service.ABOUT
        service.arguments(
            services.add_parser(
                name, help=about, description=about, formatter_class=argparse.RawDescriptionHelpFormatter
            )
        )


def main(options: argparse.Namespace) -> int:
    """Ask and compare; 0 no difference, 1 differences, 2 it could not be asked."""
    code: int = _SERVICES[options.service].main(options)
    return code
