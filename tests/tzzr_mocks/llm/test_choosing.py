"""Without a script: which tools a question leads to, with which arguments, out of the catalogue alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import types

import tzzr_scenarios
from tzzr_mocks.llm.choosing import choose
from tzzr_mocks.llm.choosing.telling import FAKE
from tzzr_mocks.llm.prompt import Asked, Message, Prompt, Result, Tool
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.stage import staged

SEED_2 = (
    "Tengo $50,000 libres en el banco y un crédito automotriz de $250,000 con tasa del 12.5% a 48 meses. ¿Me conviene "
    "aportar esos $50,000 a capital para reducir mi deuda o invertirlos a 4 años con un rendimiento estimado del 11% "
    "anual moderado e inflación del 4%? Analiza ambas opciones con las herramientas disponibles y dame tu "
    "recomendación fundamentada."
)
"""The question of the distributed proof of concept (seed 2)."""
INVOICE = (Path(tzzr_scenarios.__file__).parents[1] / "documents/facturas/factura-alquiler.txt").read_text("utf-8")
Choose = Callable[..., list[tuple[str, dict[str, Any]]]]


@pytest.fixture(scope="module")
def listed() -> list[types.Tool]:
    """The catalogue of the server itself, as a client gets it."""

    async def fetched() -> list[types.Tool]:
        plugins = {"TZZR_PLUGINS": "system,grace,hst,context,finance"}
        async with staged(settings=plugins) as stage, stage.client() as client:
            return (await client.list_tools()).tools

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(fetched())


@pytest.fixture
def tools(listed: list[types.Tool]) -> tuple[Tool, ...]:
    """That catalogue as a model gets it."""
    return tuple(Tool(tool.name, tool.description or "", tool.input_schema) for tool in listed)


@pytest.fixture
def chosen(tools: tuple[Tool, ...]) -> Choose:
    """What the model asks for after these questions."""

    def calls(*questions: str) -> list[tuple[str, dict[str, Any]]]:
        said = [Message("assistant", "Bien.")] * len(questions)
        messages = [
            one for pair in zip((Message("user", text) for text in questions), said, strict=True) for one in pair
        ]
        reply = choose(Prompt("tzzr-fake", tuple(messages[:-1]), tools=tools))
        return [(call.tool, dict(call.arguments)) for call in reply.calls]

    return calls


def test_the_question_of_the_second_seed_leads_to_both_tools_with_every_number_in_its_place(chosen: Choose) -> None:
    assert chosen(SEED_2) == [
        ("calculate_loan_amortization", {"principal": 250000, "annualInterestRate": 12.5, "termMonths": 48}),
        (
            "analyze_investment_projection",
            {
                "initialCapital": 50000,
                "monthlyContribution": 0,
                "annualReturnRate": 11.0,
                "timeHorizonYears": 4,
                "riskProfile": "moderate",
                "annualInflationRate": 4.0,
            },
        ),
    ]


LOAN = "calculate_loan_amortization"
CASES: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    (
        "¿Cuánto pagaría al mes por una hipoteca de 180.000 € al 3,1 % a 30 años?",
        [(LOAN, {"principal": 180000, "annualInterestRate": 3.1, "termMonths": 360})],
    ),
    (
        "Si pago 200 € más al mes en un préstamo de 20.000 € al 7% a 5 años, ¿cuánto ahorro?",
        [(LOAN, {"principal": 20000, "annualInterestRate": 7, "termMonths": 60, "extraMonthlyPayment": 200})],
    ),
    (
        "¿Cuánto tendré si invierto 10.000 € y aporto 200 € al mes durante 15 años al 6 % con perfil conservador?",
        [
            (
                "analyze_investment_projection",
                {
                    "initialCapital": 10000,
                    "monthlyContribution": 200,
                    "annualReturnRate": 6,
                    "timeHorizonYears": 15,
                    "riskProfile": "conservative",
                },
            )
        ],
    ),
    ("traduce 'buenos días' al inglés", [("traducir", {"texto": "buenos días", "idioma_destino": "en"})]),
    ("traduce buenos días al inglés", [("traducir", {"texto": "buenos días", "idioma_destino": "en"})]),
    ("Traduce al francés: está listo", [("traducir", {"texto": "está listo", "idioma_destino": "fr"})]),
    (
        "Traduce «hola» al inglés y «adiós» al francés",
        [
            ("traducir", {"texto": "hola", "idioma_destino": "en"}),
            ("traducir", {"texto": "adiós", "idioma_destino": "fr"}),
        ],
    ),
    ("¿En qué idioma está «good morning»?", [("detectar_idioma", {"texto": "good morning"})]),
    ("¿En qué idioma está este texto: bonjour?", [("detectar_idioma", {"texto": "bonjour"})]),
    ("Resume este texto: Ana habló. Luis calló.", [("resumir", {"texto": "Ana habló. Luis calló."})]),
    ("Resume en 30 palabras «Ana habló»", [("resumir", {"texto": "Ana habló", "max_palabras": 30})]),
    ("busca etiquetas de España", [("buscar_tags", {"consulta": "España"})]),
    ("Busque los tags de «factura».", [("buscar_tags", {"consulta": "factura"})]),
    ("¿Qué tags hay sobre facturas de la luz?", [("buscar_tags", {"consulta": "facturas de la luz"})]),
    (
        "¿De qué tipo es este documento? «Se convoca a los socios»",
        [("clasificar", {"texto": "Se convoca a los socios"})],
    ),
    ("Pásame a inglés «el gato duerme»", [("traducir", {"texto": "el gato duerme", "idioma_destino": "en"})]),
    ("busca tags de países", [("buscar_tags", {"consulta": "países", "biblioteca": "flg"})]),
    ("¿qué recursos hay?", [("explorar_recursos", {})]),
    ("abre tzzr://hst/tags/flg", [("explorar_recursos", {"uri": "tzzr://hst/tags/flg"})]),
    ("calcula el hash sha512 de 'hola'", [("generar_hash", {"texto": "hola", "algoritmo": "sha512"})]),
    ("huella de hola mundo", [("generar_hash", {"texto": "hola mundo"})]),
    (
        "clasifica este texto entre factura, contrato y carta: «Estimado señor…»",
        [("clasificar", {"texto": "Estimado señor…", "categorias": ["factura", "contrato", "carta"]})],
    ),
    ("lee el texto de la imagen foto.png", [("ocr", {"archivo": "foto.png"})]),
    (
        "transcribe reunion.wav con marcas de tiempo",
        [("transcribir", {"archivo": "reunion.wav", "marcas_de_tiempo": True})],
    ),
    ("consulta el tag lugar.espana", [("obtener_tag", {"ref": "lugar.espana"})]),
    ("dame el tag ES", [("obtener_tag", {"ref": "ES"})]),
    ("vector de 128 dimensiones de 'casa'", [("embeddings", {"texto": "casa", "dimensiones": 128})]),
    (
        "¿En qué idioma está 'bonjour' y cómo se traduce al español?",
        [
            ("detectar_idioma", {"texto": "bonjour"}),
            ("traducir", {"texto": "bonjour", "idioma_destino": "es"}),
        ],
    ),
    (
        "Busca etiquetas de factura y dime qué recursos hay",
        [("buscar_tags", {"consulta": "factura"}), ("explorar_recursos", {})],
    ),
]


@pytest.mark.parametrize(("question", "calls"), CASES, ids=[question for question, _ in CASES])
def test_a_question_leads_to_its_tools(chosen: Choose, question: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
    found = [(tool, {name: value for name, value in given.items() if value != ""}) for tool, given in chosen(question)]

    assert found == calls


def test_every_question_that_a_plugin_offers_leads_to_the_tool_that_offers_it(
    listed: list[types.Tool], chosen: Choose
) -> None:
    offered = [(question, tool.name) for tool in listed for question in (tool.meta or {}).get("tzzr/questions", ())]

    assert len(offered) >= 5
    assert [(question, name) for question, name in offered if name not in dict(chosen(question))] == []


@pytest.mark.parametrize("asked", ["Extrae los datos de esta factura:\n\n", "¿Qué datos tiene esta factura?\n", ""])
def test_a_pasted_invoice_is_extracted_whole(chosen: Choose, asked: str) -> None:
    assert chosen(f"{asked}{INVOICE}") == [("extraer_campos", {"texto": INVOICE.strip()})]


def test_a_quoted_text_chooses_no_tool(chosen: Choose) -> None:
    assert chosen("Resume «traduce esto al inglés y calcula un préstamo»") == [
        ("resumir", {"texto": "traduce esto al inglés y calcula un préstamo"})
    ]


def test_a_question_that_leans_on_the_one_before_goes_on_with_its_tool(chosen: Choose) -> None:
    assert chosen("Un préstamo de 20.000 € al 7 % a 5 años", "¿y a 20 años?") == [
        (LOAN, {"principal": 20000, "annualInterestRate": 7, "termMonths": 240})
    ]


def test_a_document_is_read_first_and_its_text_goes_to_the_tool_that_was_meant(tools: tuple[Tool, ...]) -> None:
    asks = Message("user", "extrae los campos de la factura factura-luz.pdf")
    first = choose(Prompt("m", (asks,), tools=tools)).calls
    done = (
        asks,
        Message("assistant", asked=(Asked("c1", "ocr"),)),
        Message("user", results=(Result("c1", "FACTURA 1"),)),
    )
    second = choose(Prompt("m", done, tools=tools)).calls

    assert [(call.tool, dict(call.arguments)) for call in (*first, *second)] == [
        ("ocr", {"archivo": "factura-luz.pdf"}),
        ("extraer_campos", {"texto": "FACTURA 1"}),
    ]


def test_what_is_missing_is_asked_for_and_what_fits_nothing_is_met_with_what_there_is(tools: tuple[Tool, ...]) -> None:
    lacking = choose(Prompt("m", (Message("user", "calcula un préstamo"),), tools=tools))
    strange = choose(Prompt("m", (Message("user", "¿qué tiempo hace?"),), tools=tools))
    bare = choose(Prompt("m", (Message("user", "hola"),)))

    assert "me falta: Monto total financiado" in lacking.text
    assert "- clasificar: " in strange.text
    assert "No tengo herramientas" in bare.text
    assert all(FAKE in reply.text and not reply.calls for reply in (lacking, strange, bare))


def test_the_answer_is_what_the_tools_said_and_says_that_it_is_a_fake(tools: tuple[Tool, ...]) -> None:
    asked = (Asked("c1", "traducir"), Asked("c2", "detectar_idioma"))
    results = (Result("c2", "Idioma: francés"), Result("c1", "Hola " + "x" * 5000))
    messages = (
        Message("user", "traduce 'salut' al español"),
        Message("assistant", asked=asked),
        Message("user", results=results),
    )
    reply = choose(Prompt("m", messages, tools=tools))

    assert reply.text.index("«traducir»") < reply.text.index("Idioma: francés") < reply.text.index(FAKE)
    assert "[…]" in reply.text
    assert len(reply.text) < 2000
