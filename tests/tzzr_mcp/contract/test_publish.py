"""The published schemas are what the models say, and say so when they are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.params import PARAMS
from tzzr_mcp.contract.publish import PUBLISHED, drifted, main, response_schema
from tzzr_mcp.contract.results import RESULTS
from tzzr_mcp.contract.schemas import NAMES, load


def test_the_files_on_disk_are_what_the_models_say() -> None:
    assert drifted() == [], "run: python -m tzzr_mcp.contract.publish"


def test_publishing_writes_what_checking_then_accepts(tmp_path: Path) -> None:
    assert main(["--check"], tmp_path) == 1
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0


def test_a_drifted_file_is_named_with_its_mend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([], tmp_path)
    (tmp_path / "request.schema.json").write_text("{}")

    assert main(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == (
        "request.schema.json differs from the models; run: python -m tzzr_mcp.contract.publish\n"
    )


def test_its_help_says_how_it_is_started_and_what_comes_of_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out

    assert told.startswith("usage: python -m tzzr_mcp.contract.publish [-h] [--check]\n\nPublish the contract")
    assert re.search(r"^ +--check +write nothing; exit 1 when a file differs$", told, re.MULTILINE)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_schema_is_sound_and_carries_its_version(name: str) -> None:
    schema = load(name)

    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:tzzr:s-contract:2.1:{name}"
    assert set(NAMES) == set(PUBLISHED)


def test_there_is_one_definition_per_result() -> None:
    definitions = response_schema()["$defs"]

    assert all(module.result in definitions for module in MODULES.values())
    assert {name: model.__name__ for name, model in RESULTS.items()} == {
        name: module.result for name, module in MODULES.items()
    }


@pytest.mark.parametrize("name", PARAMS)
def test_the_models_of_the_parameters_say_what_the_catalogue_says(name: str) -> None:
    schema = PARAMS[name].model_json_schema()
    required = [param.name for param in MODULES[name].params if param.required]

    assert schema.get("required", []) == required
    for param in MODULES[name].params:
        assert {**schema["properties"][param.name], **param.schema} == schema["properties"][param.name]
