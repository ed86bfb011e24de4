"""The page about strategies: its tests pass against an implementation that is right, and fail against one that is not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.docs.blocks import blocks
from tests.property.grace import grace
from tests.searching import examples
from tzzr_mcp.contract.answer import parse_response
from tzzr_mcp.contract.errors import ContractError
from tzzr_mcp.contract.translation import parse_request

PAGE = Path(__file__).parents[2] / "docs" / "strategies.md"
SERVICE, CLIENT, ARGUMENTS = blocks(PAGE, "python")
FOLDER = Path(__file__).parents[2] / "scenarios" / "tzzr_scenarios" / "strategies"


def result_of(document: Any, request: Mapping[str, Any]) -> Any:
    return parse_response(document, parse_request(request)).result


def without_its_metrics(request: Any) -> Any:
    return {**grace().answer(request), "metrics": {"duration_ms": -1}}


def content_with_anything(document: Any, request: Any) -> Any:
    return document.get("result")


def failures(block: str) -> list[str]:
    """The tests of a block that fail, with the modules that it imports put in their place."""
    names: dict[str, Any] = {}
    exec(compile(block, f"<{PAGE.name}>", "exec"), names)  # noqa: S102 - the page's own block
    found = {name: each for name, each in names.items() if name.startswith("test_")}
    assert found
    return [name for name, test in found.items() if _fails(test)]


def _fails(test: Callable[[], None]) -> bool:
    few = settings(max_examples=examples(dev=5, ci=50), database=None, phases=[Phase.generate])
    try:
        few(test)()
    except (AssertionError, ContractError, pytest.fail.Exception):
        return True
    return False


@pytest.fixture
def provide(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a module in place that the page supposes the reader has."""

    def put(name: str, **attributes: Any) -> None:
        module = ModuleType(name)
        module.__dict__.update(attributes)
        monkeypatch.setitem(sys.modules, name, module)

    return put


def test_a_service_that_is_right_passes_and_one_that_is_not_is_found(provide: Callable[..., None]) -> None:
    provide("my_grace", answer=grace().answer)
    assert failures(SERVICE) == []
    provide("my_grace", answer=without_its_metrics)
    assert failures(SERVICE) == ["test_every_request_gets_an_answer_that_its_client_can_trust"]


def test_a_client_that_is_right_passes_and_one_that_trusts_is_found(provide: Callable[..., None]) -> None:
    provide("my_client", result_of=result_of, Refused=ContractError)
    assert failures(CLIENT) == []
    provide("my_client", result_of=content_with_anything, Refused=ContractError)
    assert failures(CLIENT) == ["test_only_an_answer_to_this_request_is_taken"]


def test_the_last_block_passes() -> None:
    assert failures(ARGUMENTS) == []


def test_every_module_of_the_package_has_its_row() -> None:
    rows = {line.split("`")[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")}
    assert rows == {path.stem for path in FOLDER.glob("[a-z]*.py")}
