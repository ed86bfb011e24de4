"""Protocol errors: the code, one Spanish sentence with the mend, and the facts as data."""

from __future__ import annotations

from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from tzzr_mcp.contract.errors import Code, Failure
from tzzr_mcp.server.errors import failed, invalid_params, no_such, or_nearest, resource_not_found


def told(error: MCPError) -> tuple[int, str, Any]:
    return error.error.code, error.error.message, error.error.data


def test_an_invalid_request_carries_its_facts_and_none_where_there_are_none() -> None:
    assert told(invalid_params("Falta el nombre.", name="x")) == (-32602, "Falta el nombre.", {"name": "x"})
    assert told(invalid_params("Falta el nombre.")) == (-32602, "Falta el nombre.", None)


def test_what_is_not_there_is_named_with_the_nearest_that_is() -> None:
    sentence = 'No existe la herramienta "resumr"; ¿quiso decir "resumir"?'
    assert told(no_such("la herramienta", "resumr", ["ocr", "resumir"])) == (-32602, sentence, {"name": "resumr"})


def test_a_long_name_is_cut_in_the_sentence_and_in_the_data() -> None:
    _, message, data = told(no_such("la herramienta", "x" * 1000, []))
    assert data == {"name": "x" * 200}
    assert message.startswith('No existe la herramienta "' + "x" * 70)
    assert len(message) < 120


@pytest.mark.parametrize(
    ("known", "ending"),
    [
        ([], "."),
        (["a"], ". Existen: a."),
        ([f"n{number}" for number in range(20)], f". Existen: {', '.join(f'n{number}' for number in range(20))}."),
        ([f"n{number}" for number in range(21)], "."),
        (iter(["ocr", "resumir"]), ". Existen: ocr, resumir."),
    ],
    ids=["none", "one", "twenty", "many", "iterator"],
)
def test_where_nothing_is_near_a_few_names_are_listed_and_many_are_not(known: Any, ending: str) -> None:
    assert or_nearest("zzzzzzzz", known) == ending


@pytest.mark.parametrize(
    ("version", "code"),
    [("2024-11-05", -32002), ("2025-11-25", -32002), ("2026-07-28", -32602), ("2027-01-01", -32602)],
)
def test_a_missing_resource_has_the_code_of_the_client_s_era(version: str, code: int) -> None:
    assert told(resource_not_found("No existe.", "tzzr://x", version)) == (code, "No existe.", {"uri": "tzzr://x"})


def test_a_failure_is_told_in_its_own_sentence_with_the_whole_of_it_as_data() -> None:
    failure = Failure.of(Code.BUSY, "El servidor está ocupado.", limit=3)
    code, message, data = told(failed(failure, uri="tzzr://x"))
    assert (code, message) == (-32603, "El servidor está ocupado.")
    assert data == {"uri": "tzzr://x", "tzzr/error": failure.as_json()}


@pytest.mark.parametrize(("length", "cut"), [(78, False), (80, False), (81, True)])
def test_a_name_of_eighty_characters_is_shown_whole(length: int, cut: bool) -> None:
    _, message, _ = told(no_such("la herramienta", "x" * length, []))
    assert ("…" in message) is cut
