"""``tzzr://grace/modules``: the module catalogue (seed §4.1), derived from the contract's one structure."""

from __future__ import annotations

import json
from typing import Any

from tzzr_mcp.contract.catalogue import CONTRACT_VERSION, MODULES, Module, Param
from tzzr_mcp.plugins.api import Call


async def read(call: Call[Any]) -> str:
    """The catalogue as JSON, in the order of contract §3."""
    modules = [_row(module) for module in MODULES.values()]
    document = {"contract_version": CONTRACT_VERSION, "total": len(modules), "modules": modules}
    return json.dumps(document, ensure_ascii=False, indent=1)


def _row(module: Module) -> dict[str, Any]:
    return {
        "module": module.name,
        "family": module.family,
        "summary": module.summary,
        "tool": module.tool,
        "payload": sorted(module.accepts),
        "media_types": list(module.media_types),
        "params": {param.name: _param(param) for param in module.params},
        "chain": list(module.chain),
        "threshold": module.threshold,
    }


def _param(param: Param) -> dict[str, Any]:
    schema = dict(param.schema)
    return {**schema, **({"default": param.default} if param.default is not None else {}), "required": param.required}
