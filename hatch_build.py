"""Ships ``scenarios/<theme>/`` inside the wheel as ``tzzr_scenarios/files/<theme>/``.

An editable install reads the checkout instead: force-included files would be a copy there that grows stale.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ScenarioFiles(BuildHookInterface[Any]):
    """Adds the scenario files to a standard wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Force-include every folder of ``scenarios/`` that is not a Python package."""
        if version != "standard":
            return
        for entry in sorted(Path(self.root, "scenarios").iterdir()):
            if entry.name != "tzzr_scenarios":
                build_data["force_include"][str(entry)] = f"tzzr_scenarios/files/{entry.name}"
