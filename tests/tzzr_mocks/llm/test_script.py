"""Scripts: which rule is followed, in which round, with which values, and how a wrong one is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_mocks.small import expect_refusal
from tzzr_mocks.llm.mind import NO_ANSWER, think
from tzzr_mocks.llm.prompt import Asked, Message, Prompt, Result
from tzzr_mocks.llm.reply import Call, Reply
from tzzr_mocks.llm.script import script_of

ASKS = Message("user", "¿Qué dice esta FACTURA?")


def after(*results: tuple[str, str]) -> Prompt:
    """The question, and one round for each of these tools with its text."""
    messages = [ASKS]
    for number, (tool, text) in enumerate(results):
        messages += [
            Message("assistant", asked=(Asked(f"c{number}", tool),)),
            Message("user", results=(Result(f"c{number}", text),)),
        ]
    return Prompt("tzzr-fake", tuple(messages))


def answer(prompt: Prompt, *rules: Any) -> Reply:
    return think(prompt, script_of(rules))


def test_the_first_rule_that_fits_the_question_is_followed_whatever_case_and_accents() -> None:
    rules = [{"when": "préstamo", "answer": "no"}, {"when": "factúra", "answer": "sí"}, {"answer": "tarde"}]

    assert answer(after(), *rules).text == "sí"
    assert answer(Prompt("m", (Message("user", "otra cosa"),)), *rules).text == "tarde"


def test_a_rule_may_ask_for_a_regular_expression() -> None:
    assert answer(after(), {"when": {"matches": "FACT[A-Z]+"}, "answer": "sí"}).text == "sí"


def test_a_model_without_a_fitting_rule_says_that_it_has_none() -> None:
    assert answer(after(), {"when": "préstamo", "answer": "x"}).text == NO_ANSWER


def test_rounds_of_tools_follow_one_another_with_the_texts_of_those_before() -> None:
    rule = {
        "call": {"ocr": {"archivo": "f.png"}},
        "then": [{"extraer": {"texto": "{ocr}", "campos": ["{ocr}", 3]}}],
        "take": {"total": r"Total (\d+)"},
        "answer": "Son {total}; leí «{ocr}».",
    }

    assert answer(after(), rule).calls == (Call("ocr", {"archivo": "f.png"}),)
    assert answer(after(("ocr", "Total 7")), rule).calls == (
        Call("extraer", {"texto": "Total 7", "campos": ["Total 7", 3]}),
    )
    assert answer(after(("ocr", "Total 7"), ("extraer", "x")), rule).text == "Son 7; leí «Total 7»."


def test_a_value_that_no_tool_gave_says_so() -> None:
    rule = {"take": {"total": "Total (.+)"}, "answer": "Son {total}."}

    assert answer(after(), rule).text == "Son (total: no está en lo que dicen las herramientas)."


def test_a_rule_may_wait_for_what_a_tool_says() -> None:
    rules = [
        {"when": {"result": "no llegó"}, "call": {"ocr": {"archivo": "otra.png"}}},
        {"call": {"ocr": {}}, "answer": "listo"},
    ]

    assert answer(after(), *rules).calls == (Call("ocr", {}),)
    assert answer(after(("ocr", "No llego ninguno")), *rules).calls == (Call("ocr", {"archivo": "otra.png"}),)
    assert answer(after(("ocr", "texto")), *rules).text == "listo"


def test_arguments_may_be_given_as_the_text_that_the_model_writes() -> None:
    assert answer(after(), {"call": {"ocr": '{"archivo": '}}).calls[0].text == '{"archivo": '


def test_a_model_may_refuse() -> None:
    assert answer(after(), {"refuse": "No."}).stop == "refusal"


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ({"wen": "x"}, "model[0].wen"),
        ({"when": {"matches": "("}}, "no regular expression"),
        ({"take": {"total": "x"}, "answer": "Son {totl}."}, "did you mean total?"),
        ({"call": 3}, "model[0].call"),
        ("answer", "model[0]"),
    ],
)
def test_a_wrong_rule_is_refused_with_its_place(rule: Any, told: str) -> None:
    with expect_refusal(told):
        script_of([rule])


def test_a_turn_begins_with_the_last_question() -> None:
    old = after(("ocr", "viejo"))
    prompt = Prompt("m", (*old.messages, Message("assistant", "Listo."), ASKS))

    assert answer(prompt, {"call": {"ocr": {}}, "answer": "x"}).calls == (Call("ocr", {}),)
