"""``tzzr mocks``: the fakes on ports."""

from __future__ import annotations

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    raise NotImplementedError(parser)


def main(options: argparse.Namespace) -> int:
    """Serve the fakes until interrupted."""
    raise NotImplementedError(options)
