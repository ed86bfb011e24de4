"""``python -m tzzr_mcp`` is ``mcp-server-tzzr``."""

from __future__ import annotations

import sys

from tzzr_mcp.cli import main

if __name__ == "__main__":
    sys.exit(main())
