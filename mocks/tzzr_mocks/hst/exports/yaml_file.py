"""YAML, block style."""

from __future__ import annotations

from typing import Any

import yaml


def to_yaml(rows: Any) -> str:
    """The rows as YAML."""
    return yaml.safe_dump(rows, allow_unicode=True, sort_keys=False, default_flow_style=False, width=80)
