"""The tools' schemas: sound, Spanish, and no wider than their modules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.contract.examples_of import valid_responses
from tzzr_mcp.contract.catalogue import MODULES, TOOLS, module_of
from tzzr_mcp.contract.tools import INPUT_SCHEMAS, STYLES, data_schema
from tzzr_mcp.contract.translation import PARAM_OF


def test_every_grace_tool_has_a_schema() -> None:
    assert set(INPUT_SCHEMAS) == set(TOOLS)


@pytest.mark.parametrize("tool", INPUT_SCHEMAS)
def test_a_tools_schema_is_sound_and_closed(tool: str) -> None:
    schema = INPUT_SCHEMAS[tool]

    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema.get("required", [])) <= set(schema["properties"])


@pytest.mark.parametrize("tool", INPUT_SCHEMAS)
def test_every_argument_is_titled_and_explained(tool: str) -> None:
    for argument in INPUT_SCHEMAS[tool]["properties"].values():
        assert argument["title"][0].isupper()
        assert argument["description"].endswith(".")


@pytest.mark.parametrize("tool", INPUT_SCHEMAS)
def test_an_argument_takes_what_its_parameter_takes(tool: str) -> None:
    module = module_of(tool)
    properties = INPUT_SCHEMAS[tool]["properties"]
    params = {PARAM_OF[name]: schema for name, schema in properties.items() if name in PARAM_OF}

    assert set(params) == {param.name for param in module.params}
    for param in (param for param in module.params if param.name != "style"):
        assert {**params[param.name], **param.schema} == params[param.name]
        assert params[param.name].get("default") == param.default


def test_the_formats_are_the_styles_in_spanish() -> None:
    assert INPUT_SCHEMAS["resumir"]["properties"]["formato"]["enum"] == list(STYLES)
    assert list(STYLES.values()) == module_of("resumir").param("style").schema["enum"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("clasificar", {}),
        ("clasificar", {"texto": ""}),
        ("clasificar", {"texto": "a", "idioma": "español"}),
        ("clasificar", {"texto": "a", "categorias": ["una"]}),
        ("clasificar", {"texto": "a", "extra": 1}),
        ("resumir", {"texto": "a", "max_palabras": 9}),
        ("resumir", {"texto": "a", "formato": "bullets"}),
        ("ocr", {"imagen_base64": "AAAA", "tipo_mime": "image/gif"}),
        ("ocr", {"imagen_base64": "AAAA", "paginas": [0]}),
        ("traducir", {"texto": "a"}),
        ("traducir", {"texto": "a", "idioma_destino": "auto"}),
        ("extraer_campos", {"texto": "a", "campos": ["color"]}),
        ("embeddings", {"texto": "a", "dimensiones": 63}),
        ("generar_hash", {"texto": "a", "algoritmo": "md5"}),
    ],
)
def test_what_a_tool_does_not_take_is_refused_by_its_schema(tool: str, arguments: dict[str, Any]) -> None:
    assert not Draft202012Validator(INPUT_SCHEMAS[tool]).is_valid(arguments)


@pytest.mark.parametrize("module", MODULES)
def test_the_schema_of_a_result_stands_alone(module: str) -> None:
    schema = data_schema(module)

    Draft202012Validator.check_schema(schema)
    assert "$ref" not in json.dumps(schema)
    assert schema["type"] == "object"


@pytest.mark.parametrize("name", valid_responses())
def test_the_schema_of_a_result_takes_the_examples(name: str) -> None:
    _, response = valid_responses()[name]
    validator = Draft202012Validator(data_schema(response["routing"]["module"]))

    assert response["result"] is None or validator.is_valid(response["result"])
    assert not validator.is_valid({})
