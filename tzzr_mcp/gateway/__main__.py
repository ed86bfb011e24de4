"""``python -m tzzr_mcp.gateway``."""

from __future__ import annotations

import sys

from tzzr_mcp.gateway.script import main

if __name__ == "__main__":
    sys.exit(main())
