"""One model of `payload.params` per module, made from the catalogue's rows (contract §4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import Field, create_model

from tzzr_mcp.contract.catalogue import MODULES, Module, Param
from tzzr_mcp.contract.shapes import OneOf, Strict, Unique, Whole


class Params(Strict):
    """Parameters of one module; attributes are those that the catalogue names."""


def _string(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return Annotated[str, OneOf(tuple(schema["enum"]))]
    length = Field(min_length=schema.get("minLength"), max_length=schema.get("maxLength"))
    return Annotated[str, length, Field(pattern=schema["pattern"])]


def _integer(schema: Mapping[str, Any]) -> Any:
    return Annotated[int, Field(ge=schema["minimum"], le=schema["maximum"]), Whole]


def _array(schema: Mapping[str, Any]) -> Any:
    length = Field(
        min_length=schema["minItems"], max_length=schema["maxItems"], json_schema_extra={"uniqueItems": True}
    )
    return Annotated[list[_type_of(schema["items"])], length, Unique]  # type: ignore[misc]


_TYPES: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "string": _string,
    "integer": _integer,
    "boolean": lambda _: bool,
    "array": _array,
}


def _type_of(schema: Mapping[str, Any]) -> Any:
    return _TYPES[schema["type"]](schema)


def _field(param: Param) -> tuple[Any, Any]:
    # An optional parameter without a default is None when left out; an explicit null is refused all the same.
    return (_type_of(param.schema), ... if param.required else param.default)


def _model(module: Module) -> type[Params]:
    name = "".join(part.capitalize() for part in module.name.split("_"))
    fields: dict[str, Any] = {param.name: _field(param) for param in module.params}
    return create_model(f"{name}Params", __base__=Params, **fields)


def _models() -> dict[str, type[Params]]:
    models: dict[str, type[Params]] = {}
    for module in MODULES.values():
        if module.params and module.name not in models:
            models |= dict.fromkeys((module.name, *module.chain), _model(module))
    return models


PARAMS: Final[Mapping[str, type[Params]]] = MappingProxyType(_models())
"""Module to the model of its parameters; a module that takes none is not in it. A chain shares its head's model."""
