"""``tzzr install``: the server in an MCP client's configuration."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tzzr_scenarios.cli import COULD_NOT_RUN, PASSED

KEYS = ("RUNPOD_API_KEY", "HST_TOKEN")
"""What the default plugins need; beside them every variable of ours that is set is written too."""
PREFIXES = ("TZZR_", "GRACE_", "HST_", "CONTEXT_", "RUNPOD_")
_EPILOG = """\
examples:
  tzzr install claude-desktop --dry-run    show what would be written
  tzzr install cursor                      offline: no key, no network, answers marked as simulated
  RUNPOD_API_KEY=... HST_TOKEN=... tzzr install vscode --keys
                                           with the keys of this environment, which the file then holds
  tzzr install claude-code --path .mcp.json

The former file is kept beside the new one, with .bak at its end; other servers in it stay as they are.
"""


@dataclass(frozen=True)
class Client:
    """Where a client keeps its MCP servers: a JSON file, and the key of the servers in it.

    ``places`` are the file by platform (`sys.platform`; "" for the others), relative to the home folder. ``typed``
    says that an entry tells its transport.
    """

    places: Mapping[str, str]
    key: str = "mcpServers"
    typed: bool = False


CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client(
        {
            "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "AppData/Roaming/Claude/claude_desktop_config.json",
            "": ".config/Claude/claude_desktop_config.json",
        }
    ),
    "cursor": Client({"": ".cursor/mcp.json"}),
    "vscode": Client(
        {
            "darwin": "Library/Application Support/Code/User/mcp.json",
            "win32": "AppData/Roaming/Code/User/mcp.json",
            "": ".config/Code/User/mcp.json",
        },
        key="servers",
        typed=True,
    ),
    "claude-code": Client({"": ".claude.json"}, typed=True),
}


class Refused(Exception):
    """Nothing was written; the message says why and what to do."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("client", choices=CLIENTS, metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("--keys", action="store_true", help="write the keys and settings of this environment")
    parser.add_argument("--name", default="tzzr", help="the server's name in the file (default %(default)s)")
    parser.add_argument("--path", type=Path, metavar="FILE", help="another file than the client's own")
    parser.add_argument("--dry-run", action="store_true", help="print the file instead of writing it, keys hidden")


def main(options: argparse.Namespace) -> int:
    """Write the configuration; 0, or 2 when nothing was written."""
    client = CLIENTS[options.client]
    path = options.path or place(client, sys.platform, Path.home())
    try:
        server = entry(client, variables(os.environ) if options.keys else None, command())
        before = read(path)
        after = merged(before, client.key, options.name, server)
    except Refused as why:
        print(f"tzzr install: {why}", file=sys.stderr)
        return COULD_NOT_RUN
    if options.dry_run:
        print(f"{path} would hold:\n{written(merged(before, client.key, options.name, hidden(server)))}", end="")
        return PASSED
    kept = write(path, written(after))
    print(f"wrote {options.name} to {path}{f' (before: {kept})' if kept else ''}; restart {options.client}")
    return PASSED


def place(client: Client, platform: str, home: Path) -> Path:
    """The client's file on a platform, below a home folder."""
    return home / client.places.get(platform, client.places[""])


def command() -> str:
    """The server's command with its folder: a client that is started from a desktop has another PATH than a shell."""
    beside = Path(sys.executable).with_name("mcp-server-tzzr")
    found = str(beside) if beside.exists() else shutil.which("mcp-server-tzzr")
    if found is None:
        raise Refused("the command mcp-server-tzzr is not installed; install it: pip install mcp-server-tzzr")
    return found


def variables(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment variables that the server reads, as far as they are set.

    Raises:
        Refused: a key of the default plugins is missing, and no others are chosen.
    """
    missing = [name for name in KEYS if not environ.get(name)]
    if missing and not environ.get("TZZR_PLUGINS"):
        raise Refused(f"{' and '.join(missing)} not set; set what is missing, or leave --keys out to be offline")
    return {name: value for name, value in sorted(environ.items()) if value and name.startswith(PREFIXES)}


def entry(client: Client, environ: Mapping[str, str] | None, program: str) -> dict[str, Any]:
    """The server as the client's file tells it; offline where ``environ`` is None."""
    server: dict[str, Any] = {"type": "stdio"} if client.typed else {}
    if environ is None:
        return {**server, "command": program, "args": ["--offline"]}
    return {**server, "command": program, "args": [], "env": dict(environ)}


def hidden(server: Mapping[str, Any]) -> dict[str, Any]:
    """The entry without the values of its variables."""
    return {**server, "env": dict.fromkeys(server["env"], "…")} if "env" in server else dict(server)


def read(path: Path) -> dict[str, Any]:
    """What the file holds; nothing when it is not there or empty.

    Raises:
        Refused: it is something else than a JSON object.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path} cannot be read: {error}") from error
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise Refused(
            f"{path} is no JSON ({error}); nothing was written. Mend it, or name another with --path"
        ) from error
    if not isinstance(value, dict):
        raise Refused(f"{path} holds no JSON object; nothing was written. Mend it, or name another with --path")
    return value


def merged(before: Mapping[str, Any], key: str, name: str, server: Mapping[str, Any]) -> dict[str, Any]:
    """The file's value with the server in it; all else as it was, in its order.

    Raises:
        Refused: what stands under ``key`` is no object.
    """
    servers = before.get(key, {})
    if not isinstance(servers, dict):
        raise Refused(
            f"{key!r} in the file is no JSON object; nothing was written. Mend it, or name another with --path"
        )
    return {**before, key: {**servers, name: dict(server)}}


def written(value: Mapping[str, Any]) -> str:
    """The file's text."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def write(path: Path, text: str) -> Path | None:
    """Put ``text`` in the file's place, whole or not at all; the former file's copy, if there was one."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = _kept(path) if path.exists() else None
    fresh = path.with_name(f"{path.name}.new")
    fresh.touch(mode=0o600)
    fresh.write_text(text, encoding="utf-8")
    if kept is not None:
        shutil.copymode(kept, fresh)
    fresh.replace(path)
    return kept


def _kept(path: Path) -> Path:
    """A copy beside the file, under a name that is free."""
    copy, number = path.with_name(f"{path.name}.bak"), 1
    while copy.exists():
        number += 1
        copy = path.with_name(f"{path.name}.bak{number}")
    shutil.copy2(path, copy)
    return copy
