"""From what was typed to JSON values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_mcp.host.serving import Keyboard
from tzzr_mcp.host.forms import NotThat, filled, parsed


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("12", {"type": "integer"}, 12),
        ("1_000", {"type": "integer"}, 1000),
        ("12.5", {"type": "number"}, 12.5),
        ("sí", {"type": "boolean"}, True),
        ("no", {"type": "boolean"}, False),
        ("12", {"type": "string"}, "12"),
        ("Moderate", {"type": "string", "enum": ["moderate"]}, "moderate"),
        ("2", {"enum": [1, 2]}, 2),
        ('["a", 1]', {"type": "array"}, ["a", 1]),
        ('{"a": null}', {"type": ["object", "null"]}, {"a": None}),
    ],
)
def test_words_become_the_value_of_the_field(words: str, field: dict[str, Any], value: Any) -> None:
    assert parsed(words, field) == value


@pytest.mark.parametrize(
    ("words", "field", "told"),
    [
        ("doce", {"type": "number"}, "'doce' is no number"),
        ("true", {"type": "number"}, "is no number"),
        ("quizá", {"type": "boolean"}, "neither yes nor no"),
        ("safe", {"enum": ["conservative", "moderate"]}, "none of conservative, moderate"),
        ("{", {"type": "object"}, "is no JSON"),
        ("", {"type": "string"}, "required"),
    ],
)
def test_words_of_another_kind_are_refused(words: str, field: dict[str, Any], told: str) -> None:
    with pytest.raises(NotThat, match=told):
        parsed(words, field)


async def test_nothing_typed_leaves_an_optional_argument_out_and_asks_again_for_a_required_one() -> None:
    schema = {
        "properties": {
            "text": {"type": "string", "description": "What to say"},
            "times": {"type": "integer", "default": 1},
        },
        "required": ["text"],
    }
    keyboard = Keyboard(["", "hello", ""])

    assert await filled(schema, keyboard.ask, keyboard.say) == {"text": "hello"}
    assert keyboard.lines == [
        "  What to say",
        "  text (string, required)> ",
        "  it is required; type a text",
        "  text (string, required)> ",
        "  times (integer, optional, default 1)> ",
    ]
