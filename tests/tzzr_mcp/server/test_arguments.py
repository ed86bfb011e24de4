"""Refused arguments: one Spanish sentence that names the argument, the value and what is accepted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tzzr_mcp.contract.errors import ArgumentInvalid, Code
from tzzr_mcp.server.arguments import ArgumentCheck

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "texto": {"type": "string", "minLength": 1, "maxLength": 20, "description": "Lo que se lee."},
        "biblioteca": {"enum": ["todas", "hst", "spe", "flg"]},
        "limite": {"type": "integer", "minimum": 1, "maximum": 100},
        "paginas": {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 1, "uniqueItems": True},
        "categorias": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3},
        "ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "paso": {"type": "integer", "multipleOf": 64},
        "idioma": {"type": "string", "pattern": "^[a-z]{2}$", "description": "Dos letras, como es."},
        "codigo": {"type": "string", "pattern": "^x$", "minLength": 3},
        "fijo": {"const": 7},
        "desde": {"type": "integer", "minimum": 0},
        "hasta": {"type": "integer", "maximum": 9},
        "opciones": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        "cerrado": {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
        "forma": {"oneOf": [{"type": "integer"}, {"type": "boolean"}]},
        "raro": {"not": {}},
    },
    "required": ["texto"],
    "additionalProperties": False,
}
CHECK = ArgumentCheck(SCHEMA)


def refusal(check: ArgumentCheck = CHECK, /, **arguments: Any) -> ArgumentInvalid:
    with pytest.raises(ArgumentInvalid) as caught:
        check(arguments)
    assert caught.value.failure.code is Code.ARGUMENT_INVALID
    assert caught.value.failure.details["argument"] == caught.value.argument
    return caught.value


@pytest.mark.parametrize(
    ("arguments", "argument", "told"),
    [
        ({}, "texto", "Falta el argumento «texto», que es obligatorio: Lo que se lee."),
        ({"texto": 3}, "texto", "El argumento «texto» vale 3, pero se espera un texto."),
        ({"texto": ""}, "texto", 'El argumento «texto» vale "", pero no puede quedar vacío.'),
        ({"texto": "x" * 21}, "texto", "tiene 21 caracteres y se admiten 20 como máximo."),
        ({"codigo": "x"}, "codigo", 'vale "x", pero se esperan 3 caracteres como mínimo.'),
        ({"codigo": "xxxx"}, "codigo", "pero no tiene la forma admitida (^x$)."),
        ({"idioma": "ES"}, "idioma", 'vale "ES", pero no tiene la forma admitida (Dos letras, como es).'),
        ({"biblioteca": "hts"}, "biblioteca", 'valores: "todas", "hst", "spe", "flg"; ¿quiso decir «hst»?'),
        ({"biblioteca": 8}, "biblioteca", 'se espera uno de estos valores: "todas", "hst", "spe", "flg".'),
        ({"limite": 101}, "limite", "El argumento «limite» vale 101, pero se espera un valor entre 1 y 100."),
        ({"limite": "5"}, "limite", 'vale "5", pero se espera un número entero.'),
        ({"limite": True}, "limite", "vale true, pero se espera un número entero."),
        ({"limite": 5.5}, "limite", "vale 5.5, pero se espera un número entero."),
        ({"desde": -1}, "desde", "se espera 0 como mínimo."),
        ({"hasta": 10}, "hasta", "se espera 9 como máximo."),
        ({"ratio": 0}, "ratio", "se espera 0 (sin incluirlo) como mínimo."),
        ({"ratio": 1}, "ratio", "se espera 1 (sin incluirlo) como máximo."),
        ({"paso": 65}, "paso", "se espera un múltiplo de 64."),
        ({"paginas": []}, "paginas", "tiene 0 elementos y se espera 1 como mínimo."),
        ({"paginas": [1, 1]}, "paginas", "sus elementos no pueden repetirse."),
        ({"paginas": [1, "x"]}, "paginas", 'El argumento «paginas[1]» vale "x", pero se espera un número entero.'),
        ({"categorias": ["a", "b", "c", "d"]}, "categorias", "tiene 4 elementos y se esperan 3 como máximo."),
        ({"fijo": 8}, "fijo", "vale 8, pero solo se admite 7."),
        ({"opciones": {}}, "opciones", "Falta el argumento «a» dentro de «opciones», que es obligatorio."),
        ({"opciones": {"a": "x"}}, "opciones", "El argumento «opciones.a» vale"),
        ({"cerrado": {"b": 1}}, "cerrado", "El argumento «b» dentro de «cerrado» no existe. Se admiten: «a»."),
        ({"forma": "x"}, "forma", 'El argumento «forma» vale "x", pero no tiene ninguna de las formas admitidas.'),
        ({"raro": 1}, "raro", "El argumento «raro» vale 1, pero no es un valor admitido."),
    ],
)
def test_each_rule_is_told_in_words(arguments: dict[str, Any], argument: str, told: str) -> None:
    given_text = {} if "texto" in arguments or not arguments else {"texto": "hola"}
    error = refusal(**given_text, **arguments)
    assert error.argument == argument
    assert told in str(error)


def test_a_sentence_ends_in_one_mark() -> None:
    assert str(refusal(texto="hola", biblioteca="hts")).endswith("¿quiso decir «hst»?")
    assert str(refusal(texto="hola", biblioteca=8)).endswith('"flg".')


def test_a_misspelt_argument_is_told_before_the_one_that_is_missing() -> None:
    error = refusal(txto="hola")
    assert error.argument == "txto"
    assert str(error).startswith("El argumento «txto» no existe; ¿quiso decir «texto»? Se admiten: «texto», ")


def test_a_tool_without_arguments_says_that_it_takes_none() -> None:
    check = ArgumentCheck({"type": "object", "additionalProperties": False})
    assert str(refusal(check, a=1)) == "El argumento «a» no existe. No se admite ninguno."


ONE_OF = ArgumentCheck(
    {
        "type": "object",
        "properties": {"imagen_base64": {"type": "string"}, "archivo": {"type": "string"}},
        "oneOf": [{"required": ["imagen_base64"]}, {"required": ["archivo"]}],
    }
)


def test_exactly_one_of_two_is_asked_for_by_their_names() -> None:
    none, both = refusal(ONE_OF), refusal(ONE_OF, imagen_base64="x", archivo="y")
    words = "Indique exactamente uno de los argumentos «imagen_base64» o «archivo»: "
    assert str(none) == f"{words}no se indicó ninguno."
    assert str(both) == f"{words}se indicaron «imagen_base64» y «archivo»."
    assert none.argument == both.argument == "imagen_base64, archivo"


def test_at_least_one_of_several_is_asked_for_by_their_names() -> None:
    check = ArgumentCheck({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})
    assert str(refusal(check, c=1)) == "Indique al menos uno de los argumentos «a» o «b»: no se indicó ninguno."


def test_a_rule_over_all_arguments_names_those_that_there_are() -> None:
    check = ArgumentCheck({"type": "object", "properties": {"a": {}, "b": {}}, "minProperties": 1})
    assert str(refusal(check)).startswith("El conjunto de argumentos («a» y «b») vale {}, pero tiene 0 elementos")
    assert refusal(ArgumentCheck({"type": "object", "maxProperties": 0}), x=1).argument == "x"
    assert refusal(ArgumentCheck({"type": "object", "minProperties": 1})).argument == "argumentos"


def test_a_set_that_a_schema_refuses_altogether_is_refused_in_words() -> None:
    assert "vale {}, pero no es un valor admitido." in str(refusal(ArgumentCheck({"not": {}})))


def test_a_long_or_hostile_value_is_shown_short_and_printable() -> None:
    error = refusal(texto="hola", biblioteca="a\u202e\x00" + "z" * 5000)
    assert len(str(error)) < 250
    assert str(error).isprintable()


def test_many_accepted_values_are_cut() -> None:
    check = ArgumentCheck({"type": "object", "properties": {"n": {"enum": list(range(100))}}})
    assert "28, 29…" in str(refusal(check, n="x"))


def test_a_whole_number_written_as_a_fraction_reaches_the_tool_whole() -> None:
    checked = CHECK({"texto": "x", "limite": 5.0, "paginas": [1.0, 2], "opciones": {"a": 3.0}, "ratio": 0.5})
    assert repr(checked) == "{'texto': 'x', 'limite': 5, 'paginas': [1, 2], 'opciones': {'a': 3}, 'ratio': 0.5}"


def test_defaults_of_the_schema_are_not_filled_in() -> None:
    check = ArgumentCheck({"type": "object", "properties": {"a": {"default": 3}}})
    assert check({}) == {}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-200, 200) | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(st.sampled_from([*SCHEMA["properties"], "txto", "", "ñ\x00"]), VALUES, max_size=5)


@given(ARGUMENTS)
def test_every_refused_set_names_an_argument_and_every_other_is_passed_on(arguments: dict[str, Any]) -> None:
    if Draft202012Validator(SCHEMA).is_valid(arguments):
        assert CHECK(arguments) == arguments
        return
    error = refusal(**arguments)
    assert error.argument in {*SCHEMA["properties"], *arguments}
    assert f"«{error.argument}".partition("\x00")[0] in str(error)
    assert str(error).isprintable()


def test_what_a_schema_says_nothing_about_is_passed_on_at_any_depth() -> None:
    check = ArgumentCheck({"type": "object", "properties": {"a": {"type": "object"}, "n": {"type": "integer"}}})
    given = {"a": {"b": {"c": [1.0, {"d": 2.5}]}}, "n": 3.0}
    assert repr(check(given)) == "{'a': {'b': {'c': [1.0, {'d': 2.5}]}}, 'n': 3}"
    assert repr(ArgumentCheck({})({"x": {"y": 1.0}})) == "{'x': {'y': 1.0}}"
