"""The JSON Schema of scenario files, made from the models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tzzr_scenarios.language.models import Scenario

PATH = Path(__file__).parent / "scenario-1.schema.json"
"""The published schema, for editors."""


def scenario_schema() -> dict[str, Any]:
    """The schema, 2020-12."""
    made = Scenario.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:tzzr:scenario:1", **made}


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(scenario_schema(), indent=2, ensure_ascii=False) + "\n"
