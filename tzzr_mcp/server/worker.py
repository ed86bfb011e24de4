"""One of several processes that serve the same port: what `tzzr_mcp.server.transports.workers` starts."""

from __future__ import annotations

import json
import os
import sys

from tzzr_mcp.server.launch import launch
from tzzr_mcp.server.transports.how import How
from tzzr_mcp.settings import PROGRAM, StartError

if __name__ == "__main__":
    try:
        sys.exit(launch(os.environ, How(**json.loads(sys.argv[1]))))
    except StartError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
