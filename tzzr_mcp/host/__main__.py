"""``python -m tzzr_mcp.host``."""

from __future__ import annotations

import argparse
import sys

from tzzr_mcp.host import script


def main() -> int:
    """Parse the command line and run the host; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tzzr_mcp.host",
        description="Connect to an MCP server, show what it is and can do, and call its tools.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    script.arguments(parser)
    return script.main(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
