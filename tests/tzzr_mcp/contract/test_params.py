"""The models of the parameters, made anew from the catalogue: they take and refuse what its rows say."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from tzzr_mcp.contract.catalogue import MODULES, Param
from tzzr_mcp.contract.params import PARAMS, Params, _models

WORDS = ["alfa", "beta", "gama", "delta"]


def made(schema: dict[str, Any]) -> Any:
    """A value that a row's schema takes: its first choice, its least number, its shortest text or list."""
    match schema:
        case {"enum": [first, *_]}:
            return first
        case {"type": "integer", "minimum": least}:
            return least
        case {"type": "boolean"}:
            return True
        case {"type": "array", "items": items, "minItems": few}:
            choices = items.get("enum") or (range(1, 99) if items["type"] == "integer" else WORDS)
            return list(choices)[:few]
        case {"pattern": _}:
            return next(text for text in ("1-2", "es", "alfa") if Draft202012Validator(schema).is_valid(text))
    raise AssertionError(f"no value for {schema}")


def nearly(schema: dict[str, Any]) -> list[Any]:
    """Values on both sides of every bound of a row's schema, and of every other kind."""
    values: list[Any] = [None, 1, 1.5, "", "alfa", True, [], {}, [None], ["alfa", "alfa"], [""], "A" * 5000]
    values += [schema[bound] + step for bound in ("minimum", "maximum") if bound in schema for step in (-1, 0, 1)]
    values += [
        text * size
        for text in ("a", "1-", " ")
        for size in (schema.get("maxLength", 3), 1 + schema.get("maxLength", 3))
    ]
    if "enum" in schema:
        values += [*schema["enum"], schema["enum"][0].upper()]
    if "items" in schema:
        choices = schema["items"].get("enum") or (
            list(range(1, 99)) if schema["items"]["type"] == "integer" else [f"w{n}" for n in range(99)]
        )
        values += [
            choices[:size] for bound in ("minItems", "maxItems") for size in range(schema[bound] - 1, schema[bound] + 2)
        ]
        values += [[choices[0], choices[0]], [choices[0], "nobody's choice"]]
    return values


ROWS = [(module.name, param) for module in MODULES.values() for param in module.params]


@pytest.mark.parametrize(("name", "param"), ROWS, ids=[f"{name}-{param.name}" for name, param in ROWS])
def test_a_parameter_is_taken_just_when_the_catalogues_row_takes_it(name: str, param: Param) -> None:
    model, row = _models()[name], Draft202012Validator(dict(param.schema))
    others = {other.name: made(dict(other.schema)) for other in MODULES[name].params if other.required}
    verdicts = set()
    for value in [made(dict(param.schema)), *nearly(dict(param.schema))]:
        try:
            model.model_validate({**others, param.name: value})
            taken = True
        except ValidationError:
            taken = False
        assert taken is row.is_valid(value), value
        verdicts.add(taken)
    assert verdicts == {True, False}


def test_a_module_without_parameters_has_no_model_and_a_chain_shares_one() -> None:
    models = _models()
    assert set(models) == {
        name for module in MODULES.values() if module.params for name in (module.name, *module.chain)
    }
    for module in MODULES.values():
        shared = {models[name] for name in (module.name, *module.chain)} if module.params else set()
        assert len(shared) == bool(module.params)


def test_what_is_left_out_is_the_default_unless_it_is_required() -> None:
    for name, model in _models().items():
        fields = model.model_fields
        for param in MODULES[name].params:
            assert fields[param.name].is_required() is param.required
            assert param.required or fields[param.name].default == param.default


def test_a_model_is_named_after_its_module_and_refuses_strangers() -> None:
    models = _models()
    assert {model.__name__ for model in models.values()} == {
        "".join(part.title() for part in MODULES[name].name.split("_")) + "Params"
        for name in models
        if not any(name in module.chain for module in MODULES.values())
    }
    assert {model.__base__ for model in models.values()} == {Params}
    assert {model.model_config["extra"] for model in models.values()} == {"forbid"}


def test_the_published_form_of_the_models_says_that_items_differ() -> None:
    for name, model in _models().items():
        assert model.model_json_schema() == PARAMS[name].model_json_schema()
        for param in MODULES[name].params:
            shown = model.model_json_schema()["properties"][param.name]
            assert {key: shown[key] for key in param.schema} == dict(param.schema)
