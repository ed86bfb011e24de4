"""Errors against the published schemas: where, what, and nothing of the offending value."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.examples_of import valid_requests, valid_responses
from tzzr_mcp.contract.schemas import NAMES, WORDING, load, request_errors, response_errors, validator

CLASSIFIER = valid_requests()["classifier"]


def test_a_missing_field_is_pointed_at_itself() -> None:
    document = {**CLASSIFIER, "context": {"lang": "es"}}

    assert request_errors(document) == [{"pointer": "/context/mode", "message": "is required"}]


def test_an_unknown_field_is_pointed_at_itself() -> None:
    document = {**CLASSIFIER, "a/b~c": 1}

    assert request_errors(document) == [{"pointer": "/a~1b~0c", "message": "is not a field of the contract"}]


def test_a_value_out_of_a_list_is_told_the_list() -> None:
    document = {**CLASSIFIER, "profile": "HUGE"}

    assert {"pointer": "/profile", "message": "must be one of LITE, FULL"} in request_errors(document)


def test_an_error_never_repeats_what_was_sent() -> None:
    secret = "s3cr3t" * 1000
    document = {**CLASSIFIER, "payload": {**CLASSIFIER["payload"], "content": f"{secret}\x00", "params": secret}}

    errors = request_errors(document)
    assert {error["pointer"] for error in errors} == {"/payload/content", "/payload/params"}
    assert "s3cr3t" not in str(errors)


def test_of_a_field_that_may_be_null_the_mistake_in_it_is_told_and_not_that_it_is_not_null() -> None:
    response = copy.deepcopy(valid_responses()["classifier"][1])
    response["result"]["confidence"] = 7

    assert response_errors(response) == [{"pointer": "/result/confidence", "message": "must be at most 1"}]


def test_there_are_words_for_each_keyword_that_a_value_may_break() -> None:
    told_otherwise = {"required", "additionalProperties", "anyOf"}
    without_values = {"$schema", "$id", "$ref", "$defs", "allOf", "if", "then", "else", "properties", "items"}
    remarks = {"title", "description", "default"}

    used = {keyword for name in NAMES for keyword in keywords(load(name))}
    assert used - told_otherwise - without_values - remarks == set(WORDING)


def keywords(schema: dict[str, Any]) -> Iterator[str]:
    """Every keyword of a schema and of those in it."""
    for keyword, value in schema.items():
        yield keyword
        if keyword in ("properties", "$defs"):
            below = list(value.values())
        elif keyword in ("allOf", "anyOf"):
            below = value
        else:
            below = [value] if keyword in ("if", "then", "else", "not", "items", "additionalProperties") else []
        for inner in below:
            yield from keywords(inner) if isinstance(inner, dict) else ()


@pytest.mark.parametrize("document", [None, 7, [], "texto"])
def test_what_is_no_object_is_pointed_at_as_a_whole(document: Any) -> None:
    assert request_errors(document) == [{"pointer": "", "message": "must be of type object"}]
    assert response_errors(document) == [{"pointer": "", "message": "must be of type object"}]


def test_a_schema_is_loaded_and_compiled_once() -> None:
    assert load("request") is load("request")
    assert validator("response") is validator("response")


def test_loading_needs_neither_pydantic_nor_jsonschema() -> None:
    code = (
        "import sys\n"
        "from tzzr_mcp.contract import schemas, tools\n"
        "schemas.load('response'), tools.data_schema('HASHER')\n"
        "print({'pydantic', 'jsonschema'} & set(sys.modules))"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert printed.stdout.strip() == "set()"
