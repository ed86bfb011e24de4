"""Whatever is asked, the model's fake asks for tools of the catalogue alone, with arguments that their schemas take."""

from __future__ import annotations

import asyncio
from functools import cache

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mocks.llm.choosing import choose
from tzzr_mocks.llm.prompt import Message, Prompt, Tool
from tzzr_mocks.network.virtual import new_virtual_loop
from tzzr_scenarios.stage import staged

WORDS = [
    "\ntraduce",
    "resume",
    "clasifica",
    "busca",
    "etiquetas",
    "préstamo",
    "hipoteca",
    "invierto",
    "inversión",
    "factura",
    "idioma",
    "huella",
    "hash",
    "recursos",
    "tag\nal",
    "inglés",
    "del",
    "francés",
    "en",
    "español",
    "con",
    "y",
    "o",
    "para",
    "250.000",
    "$50,000",
    "12,5",
    "%",
    "48",
    "meses",
    "4",
    "años",
    "3",
    "palabras",
    "200",
    "€",
    "al",
    "mes",
    "moderado\nconservador",
    "inflación",
    "tasa",
    "rendimiento",
    "plazo",
    "«hola»",
    "'x'",
    '"tú"',
    "foto.png",
    "reunion.wav",
    "tzzr://hst/tags/flg",
    "ES",
    "lugar.espana\npuntos",
    "strict",
    "sha512",
    "dimensiones",
    "página",
    "categorías",
    "entre",
    ":",
    ",",
    ".",
    "?",
    "¿",
    "\n",
    "-7",
    "0",
    "99999999999999999999",
    "1e5",
    "0,0",
    "%",
    "marcas",
    "de",
    "tiempo\n",
]
QUESTIONS = st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=25).map(" ".join)


@cache
def tools() -> tuple[Tool, ...]:
    """The catalogue of the server, as a client gets it."""

    async def listed() -> tuple[Tool, ...]:
        plugins = {"TZZR_PLUGINS": "system,grace,hst,context,finance"}
        async with staged(settings=plugins) as stage, stage.client() as client:
            found = (await client.list_tools()).tools
        return tuple(Tool(tool.name, tool.description or "", tool.input_schema) for tool in found)

    with asyncio.Runner(loop_factory=new_virtual_loop) as runner:
        return runner.run(listed())


@given(st.lists(QUESTIONS, min_size=1, max_size=3))
def test_every_call_is_one_that_the_schema_takes_and_the_same_each_time(questions: list[str]) -> None:
    prompt = Prompt("tzzr-fake", tuple(Message("user", text) for text in questions), tools=tools())
    reply = choose(prompt)

    assert reply == choose(prompt)
    assert bool(reply.calls) != bool(reply.text)
    for call in reply.calls:
        tool = prompt.tool(call.tool)
        assert tool is not None
        jsonschema.validate(dict(call.arguments), dict(tool.schema))
