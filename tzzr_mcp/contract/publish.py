"""Publish the contract as JSON Schema 2020-12: `python -m tzzr_mcp.contract.publish` (`--check`: exit 1 on drift).

The shapes come from the pydantic models; the rules between fields (a module's payload types, its parameters, the
profile, what each status carries) are added from the catalogue as if/then, so that whoever reads only the
schemas refuses the same shapes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from tzzr_mcp.contract.catalogue import (
    BASE64_PATTERN,
    CONTRACT_VERSION,
    LIMIT_BYTES,
    MEDIA_TYPES,
    MODULES,
    TEXT_PATTERN,
    chain_of,
)
from tzzr_mcp.contract.params import PARAMS
from tzzr_mcp.contract.parts import Part
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.contract.results import RESULTS

Schema = dict[str, Any]

FOLDER: Final = Path(__file__).parent / "schemas"
NOWHERE: Final[Schema] = {"not": {}}  # unlike `false`, validators report it with the path of the field
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class _Plain(GenerateJsonSchema):
    """Pydantic's generator without what a reader does not need: a title per field, a null default."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Never: a field's name says it."""
        return False

    def default_schema(self, schema: Any) -> Schema:
        """As the generator's, but a default of ``null`` is left out."""
        described = super().default_schema(schema)
        if described["default"] is None:
            del described["default"]
        return described


def _with_definitions(top: type[BaseModel], others: Iterable[type[BaseModel]], *rules: Schema) -> Schema:
    models = dict.fromkeys([top, *others])
    _, described = models_json_schema([(model, "validation") for model in models], schema_generator=_Plain)
    definitions = described["$defs"]
    name = top.__name__.lower()
    return {
        "$schema": DIALECT,
        "$id": f"urn:tzzr:s-contract:{CONTRACT_VERSION}:{name}",
        **definitions.pop(top.__name__),
        **({"allOf": list(rules)} if rules else {}),
        **({"$defs": definitions} if definitions else {}),
    }


def _at(path: str, schema: Schema, *, required: bool = False) -> Schema:
    """`schema` for what stands at the dotted `path`; `required` demands every field on the way."""
    name, _, rest = path.partition(".")
    inner = _at(rest, schema, required=required) if rest else schema
    outer: Schema = {"properties": {name: inner}}
    return {"type": "object", "required": [name], **outer} if required else outer


def _rule(path: str, values: Iterable[str], *then: Schema) -> Schema:
    """If the field at `path` is one of `values`, all of `then` hold."""
    return {"if": _at(path, {"enum": list(values)}, required=True), "then": _all(then)}


def _all(schemas: Iterable[Schema]) -> Schema:
    several = list(schemas)
    return several[0] if len(several) == 1 else {"allOf": several}


def _ref(model: type[BaseModel]) -> Schema:
    return {"$ref": f"#/$defs/{model.__name__}"}


def _payload_rules() -> list[Schema]:
    base64_content = {"pattern": BASE64_PATTERN}
    text = {
        "encoding": {"const": "utf-8"},
        "media_type": NOWHERE,
        "content": {"maxLength": LIMIT_BYTES, "pattern": TEXT_PATTERN},
    }
    rules = [_rule("payload.type", ["text"], {"properties": {"payload": {"properties": text}}})]
    for kind in (kind for kind in MEDIA_TYPES if kind != "text"):
        fields = {
            "encoding": {"const": "base64"},
            "media_type": {"enum": list(MEDIA_TYPES[kind])},
            "content": base64_content,
        }
        payload = {"properties": fields, "required": ["media_type"]}
        rules.append(_rule("payload.type", [kind], _at("payload", payload), _at("profile", {"const": "FULL"})))
    return rules


def _profile_rules() -> list[Schema]:
    return [
        _rule("profile", ["FULL"], _at("payload", {"required": ["sha256"]})),
        _rule("profile", ["LITE"], _at("payload.sha256", NOWHERE)),
    ]


def _accept_rules() -> list[Schema]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for module in MODULES.values():
        groups.setdefault(tuple(kind for kind in MEDIA_TYPES if kind in module.accepts), []).append(module.name)
    return [
        _rule("routing.module", names, _at("payload.type", {"enum": list(kinds)})) for kinds, names in groups.items()
    ]


def _params_rules() -> list[Schema]:
    rules = []
    for model in dict.fromkeys(PARAMS.values()):
        names = [name for name, its in PARAMS.items() if its is model]
        payload = _at("params", _ref(model))
        if any(field.is_required() for field in model.model_fields.values()):
            payload["required"] = ["params"]
        rules.append(_rule("routing.module", names, _at("payload", payload)))
    bare = [name for name in MODULES if name not in PARAMS]
    return [*rules, _rule("routing.module", bare, _at("payload.params", NOWHERE))]


def _status_rules() -> list[Schema]:
    nothing, something = {"type": "null"}, {"type": "object"}
    answered = {"properties": {"result": something, "failure": nothing}}
    failed = {"properties": {"result": nothing, "failure": something}}
    resolved = "routing.resolved"
    heads = [name for name in MODULES if MODULES[name].chain]
    return [
        _rule("status", ["ERROR"], failed, _at(resolved, nothing)),
        _rule(
            "status",
            ["OK", "DEGRADED"],
            answered,
            _at(resolved, {"type": "string"}),
            _at("routing.module", {"enum": list(MODULES)}),
        ),
        _rule("status", ["DEGRADED"], _at("routing.module", {"enum": heads})),
    ]


def _result_rules() -> list[Schema]:
    rules = []
    for model in dict.fromkeys(RESULTS.values()):
        names = [name for name, its in RESULTS.items() if its is model]
        rules.append(_rule("routing.module", names, _at("result", {"anyOf": [{"type": "null"}, _ref(model)]})))
    return rules


def _attempt_rules() -> list[Schema]:
    return [
        _rule("routing.module", [name], _at("routing.attempts", {"maxItems": len(chain_of(name))}))
        for name in MODULES
        if MODULES[name].chain
    ] + [
        _rule(
            "routing.module",
            [name for name in MODULES if not MODULES[name].chain],
            _at("routing.attempts", {"maxItems": 1}),
        ),
        {
            "if": _at("routing.module", {"not": {"enum": list(MODULES)}}, required=True),
            "then": _at("routing.attempts", {"maxItems": 0}),
        },
    ]


def request_schema() -> Schema:
    """`request.schema.json`, from the models and the catalogue."""
    rules = [*_payload_rules(), *_profile_rules(), *_accept_rules(), *_params_rules()]
    return _with_definitions(Request, PARAMS.values(), *rules)


def response_schema() -> Schema:
    """`response.schema.json`, with one definition per module result."""
    rules = [*_status_rules(), *_attempt_rules(), *_result_rules()]
    return _with_definitions(Response, RESULTS.values(), *rules)


def part_schema() -> Schema:
    """`part.schema.json`: what a streamed answer yields before its response."""
    return _with_definitions(Part, ())


PUBLISHED: Final[Mapping[str, Callable[[], Schema]]] = MappingProxyType(
    {"request": request_schema, "response": response_schema, "part": part_schema}
)


def octets_of(name: str) -> bytes:
    """`schemas/NAME.schema.json` as it should be, the same on every machine."""
    return f"{json.dumps(PUBLISHED[name](), ensure_ascii=False, indent=2)}\n".encode()


def drifted(folder: Path = FOLDER) -> list[str]:
    """The files in `folder` that differ from the models, or are not there."""
    paths = {name: folder / f"{name}.schema.json" for name in PUBLISHED}
    return [path.name for name, path in paths.items() if not path.is_file() or path.read_bytes() != octets_of(name)]


def main(arguments: list[str] | None = None, folder: Path = FOLDER) -> int:
    """Write the schemas, or with `--check` compare them: 0 when they agree, 1 when a file must be published."""
    parser = argparse.ArgumentParser(prog="python -m tzzr_mcp.contract.publish", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file differs")
    if parser.parse_args(arguments).check:
        stale = drifted(folder)
        for name in stale:
            sys.stderr.write(f"{name} differs from the models; run: python -m tzzr_mcp.contract.publish\n")
        return 1 if stale else 0
    for name in PUBLISHED:
        (folder / f"{name}.schema.json").write_bytes(octets_of(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
