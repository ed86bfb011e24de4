"""What each kind of change is called, on the real surface with one thing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.tzzr_scenarios.surface.present import Surface, changed
from tzzr_scenarios.surface.changes import Weight

BREAKING, ADDITIVE, WORDING = Weight.BREAKING, Weight.ADDITIVE, Weight.WORDING
Edit = Callable[[Surface], object]


def properties(surface: Surface, tool: str = "clasificar") -> Any:
    return surface["tools"][tool]["input"]["properties"]


def gone(*path: str) -> Edit:
    """The edit that takes away what stands at a path."""

    def edit(surface: Any) -> None:
        *way, last = path
        for step in way:
            surface = surface[step]
        del surface[last]

    return edit


def put(value: Any, *path: str) -> Edit:
    """The edit that puts something at a path."""

    def edit(surface: Any) -> None:
        *way, last = path
        for step in way:
            surface = surface[step]
        surface[last] = value

    return edit


CLASIFICAR = ("tools", "clasificar")
INPUT = (*CLASIFICAR, "input", "properties")
OUTPUT = (*CLASIFICAR, "output", "properties", "data", "properties")
PROMPT = ("prompts", "analizar_factura")
SETTING = ("settings", "TZZR_MAX_CALLS")

CASES: list[tuple[str, Edit, Weight, str]] = [
    ("a tool is gone", gone(*CLASIFICAR), BREAKING, "tools/clasificar"),
    ("a tool is new", put({"input": {}}, "tools", "nueva"), ADDITIVE, "tools/nueva"),
    ("a title", put("Otro", *CLASIFICAR, "title"), WORDING, "tools/clasificar/title"),
    ("a description", put("Otra.", *CLASIFICAR, "description"), WORDING, "tools/clasificar/description"),
    (
        "an argument's description", put("Otra.", *INPUT, "texto", "description"), WORDING,
        "tools/clasificar/input/properties/texto/description",
    ),
    ("an argument is gone", gone(*INPUT, "modo"), BREAKING, "tools/clasificar/input/properties/modo"),
    ("an argument is new", put({"type": "string"}, *INPUT, "x"), ADDITIVE, "tools/clasificar/input/properties/x"),
    (
        "an argument is required", put(["texto", "modo"], *CLASIFICAR, "input", "required"), BREAKING,
        "tools/clasificar/input/required/modo",
    ),
    ("a value is gone", put(["strict"], *INPUT, "modo", "enum"), BREAKING, "tools/clasificar/input/properties/modo"),
    (
        "a value is new", put(["strict", "lenient", "x"], *INPUT, "modo", "enum"), ADDITIVE,
        "tools/clasificar/input/properties/modo",
    ),
    (
        "a limit is lower", put(9, *INPUT, "texto", "maxLength"), BREAKING,
        "tools/clasificar/input/properties/texto/maxLength",
    ),
    (
        "a limit is higher", put(10**9, *INPUT, "texto", "maxLength"), ADDITIVE,
        "tools/clasificar/input/properties/texto/maxLength",
    ),
    (
        "a default", put("lenient", *INPUT, "modo", "default"), BREAKING,
        "tools/clasificar/input/properties/modo/default",
    ),
    (
        "a result's field has another type", put({"type": "string"}, *OUTPUT, "confidence"), BREAKING,
        "tools/clasificar/output/properties/data/properties/confidence/type",
    ),
    (
        "a result has one more field", put({"type": "string"}, *OUTPUT, "why"), ADDITIVE,
        "tools/clasificar/output/properties/data/properties/why",
    ),
    (
        "a result's field may be missing", put([], *CLASIFICAR, "output", "properties", "data", "required"), BREAKING,
        "tools/clasificar/output/properties/data/required/category",
    ),
    (
        "a tool does not only read", put(False, *CLASIFICAR, "annotations", "readOnlyHint"), BREAKING,
        "tools/clasificar/annotations/readOnlyHint",
    ),
    (
        "a tool stays at home", put(False, *CLASIFICAR, "annotations", "openWorldHint"), ADDITIVE,
        "tools/clasificar/annotations/openWorldHint",
    ),
    ("a resource is gone", gone("resources", "tzzr://servers/status"), BREAKING, "resources/tzzr:~1~1servers~1status"),
    ("a template is gone", gone("templates", "tzzr://hst/tag/{ref}"), BREAKING, "templates/tzzr:"),
    ("a prompt's text", put(["x"], *PROMPT, "text"), WORDING, "prompts/analizar_factura/text"),
    (
        "a prompt demands one more argument", put({"required": True}, *PROMPT, "arguments", "x"), BREAKING,
        "prompts/analizar_factura/arguments/x",
    ),
    (
        "a prompt takes one more argument", put({"required": False}, *PROMPT, "arguments", "x"), ADDITIVE,
        "prompts/analizar_factura/arguments/x",
    ),
    ("an error code is gone", gone("errors", "BUSY"), BREAKING, "errors/BUSY"),
    ("an error is final", put(False, "errors", "BUSY", "retryable"), BREAKING, "errors/BUSY/retryable"),
    ("a setting is gone", gone(*SETTING), BREAKING, "settings/TZZR_MAX_CALLS"),
    ("a setting's default", put(1, *SETTING, "schema", "default"), BREAKING, "settings/TZZR_MAX_CALLS/schema/default"),
    ("a setting is demanded", put(True, *SETTING, "required"), BREAKING, "settings/TZZR_MAX_CALLS/required"),
    ("a setting is new", put({"required": False}, "settings", "TZZR_X"), ADDITIVE, "settings/TZZR_X"),
    ("an option is gone", put(["--help"], "commands", "tzzr schema", "options"), BREAKING, "commands/tzzr schema"),
    ("an exit code", put(3, "exit_codes", "tzzr: failed"), BREAKING, "exit_codes/tzzr: failed"),
    ("a word of scenarios is gone", gone("scenarios", "properties", "proves"), BREAKING, "scenarios/properties/proves"),
    ("a fault's field is gone", gone("faults", "latency", "fields", "jitter"), BREAKING, "faults/latency/fields/jitter"),
    ("a rule is gone", gone("rules", "grace hasher.form"), BREAKING, "rules/grace hasher.form"),
    ("a rule's sentence", put("x", "rules", "grace hasher.form", "says"), WORDING, "rules/grace hasher.form/says"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "weight", "where"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_change_has_its_weight_and_its_place(edit: Edit, weight: Weight, where: str) -> None:
    changes = changed(edit)

    assert changes, "nothing was noticed"
    assert changes[0].weight is weight
    assert changes[0].where.startswith(where)


def test_what_breaks_in_the_contract_must_come_under_another_id() -> None:
    changes = changed(gone("contract", "request", "properties", "envelope"))

    assert [change.demand for change in changes if change.demand] == [
        "raise CONTRACT_VERSION in tzzr_mcp/contract/catalogue.py and run: python -m tzzr_mcp.contract.publish"
    ]


def test_one_more_module_in_a_request_adds_and_one_more_in_a_response_breaks_whoever_reads_it() -> None:
    def edit(name: str) -> Edit:
        def add(surface: Surface) -> None:
            module = surface["contract"][name]["properties"]["routing"]
            surface["contract"][name]["properties"]["routing"] = {"anyOf": [module, {"const": "NEW"}]}

        return add

    assert {change.weight for change in changed(edit("request"))} == {ADDITIVE}
    assert BREAKING in {change.weight for change in changed(edit("response"))}
