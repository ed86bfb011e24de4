"""What did not pass against what was expected not to: ``expected_failures.yaml``, where each entry has its reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("expected_failures.yaml")


def expectations() -> Mapping[str, Mapping[str, str]]:
    """By revision, ``scenario`` or ``scenario:check`` and why it is not passed."""
    found: Mapping[str, Mapping[str, str]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return found


def complaints(
    revision: str, failed: Collection[str], scenarios: Collection[str], expected: Mapping[str, Mapping[str, str]]
) -> list[str]:
    """One sentence for each failure that nobody explained, each explanation of what passes, and each empty reason."""
    entries = expected.get(revision, {})
    excused = {check for check in failed if check in entries or check.partition(":")[0] in entries}
    lines = [
        f"{revision}: {check} does not pass, and {FILE.name} does not say why"
        for check in failed
        if check not in excused
    ]
    for entry, reason in entries.items():
        needed = any(entry in {check, check.partition(":")[0]} for check in failed)
        if entry.partition(":")[0] not in scenarios:
            lines.append(f"{revision}: {entry} is expected to fail but is no scenario of this set; remove the entry")
        elif not needed:
            lines.append(f"{revision}: {entry} passes now; remove it from {FILE.name}")
        if not str(reason or "").strip():
            lines.append(f"{revision}: {entry} has no reason; write one, or mend the server")
    return sorted(lines)
