"""``tzzr schema``: the JSON Schema of scenario files."""

from __future__ import annotations

import argparse
import json

from tzzr_scenarios.cli import PASSED
from tzzr_scenarios.language.schema import PATH, scenario_schema


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = "first line of a scenario file, for completion in editors:\n  # yaml-language-server: $schema=PATH"
    parser.add_argument("--path", action="store_true", help="print where the published schema file is")


def main(options: argparse.Namespace) -> int:
    """Print the schema, or its path."""
    print(PATH if options.path else json.dumps(scenario_schema(), indent=2, ensure_ascii=False))
    return PASSED
