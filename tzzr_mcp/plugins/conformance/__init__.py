"""Conformance: exactly the fixtures that the official MCP conformance suite calls, served by the core as it is.

Never enabled by default, and of no use to anybody but the suite. What the ordinary plugin API can say goes through it;
the rest comes in by the low-level door.
"""

from __future__ import annotations

from typing import Any

from tzzr_mcp.plugins.api import (
    DeclaredSource,
    Plugin,
    Prompt,
    PromptArgument,
    Resource,
    ResourceTemplate,
    Tool,
)
from tzzr_mcp.plugins.conformance.samples import NO_ARGUMENTS, fixture
from tzzr_mcp.plugins.conformance.schemas import HEADER_SCHEMA, KEYWORDS_SCHEMA
from tzzr_mcp.plugins.lowlevel import RawPrompt, RawResource

SOURCE = DeclaredSource("Piezas de prueba del protocolo", "computation")


def _one(argument: str) -> dict[str, Any]:
    return {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}


def _plain(name: str, function: str, description: str, arguments: Any = NO_ARGUMENTS) -> Tool:
    run = f"{__package__}.plain:{function}"
    return Tool(name, name, description, arguments, run, SOURCE, data_schema={"type": "object"}, open_world=False)


_TOOLS = (
    _plain("test_simple_text", "simple_text", "Devuelve un texto fijo."),
    fixture("test_image_content", "content:image", "Devuelve una imagen."),
    fixture("test_audio_content", "content:audio", "Devuelve un sonido."),
    fixture("test_embedded_resource", "content:embedded", "Devuelve un recurso incrustado."),
    fixture("test_multiple_content_types", "content:mixed", "Devuelve texto, imagen y recurso."),
    _plain("test_error_handling", "fail", "Devuelve siempre un error."),
    _plain("test_tool_with_progress", "progress", "Informa de su progreso."),
    fixture("test_tool_with_logging", "asking:logging", "Envía tres mensajes de registro."),
    fixture("test_sampling", "asking:sampling", "Pide un texto al modelo del cliente.", _one("prompt")),
    fixture("test_elicitation", "asking:elicitation", "Pregunta al usuario.", _one("message")),
    fixture("test_elicitation_sep1034_defaults", "asking:elicitation_defaults", "Formulario con valores previos."),
    fixture("test_elicitation_sep1330_enums", "asking:elicitation_enums", "Formulario con opciones de cinco formas."),
    fixture("test_reconnection", "asking:reconnection", "Cierra su flujo antes de responder."),
    fixture("test_missing_capability", "asking:missing_capability", "Exige la capacidad «sampling»."),
    fixture("test_streaming_elicitation", "rounds:elicitation", "Pregunta al usuario en varias rondas."),
    fixture("test_logging_tool", "asking:logging", "Envía mensajes de registro solo a quien los pide."),
    fixture("test_trigger_tool_change", "asking:change_tools", "Avisa de un cambio en las herramientas."),
    fixture("test_trigger_prompt_change", "asking:change_prompts", "Avisa de un cambio en las plantillas."),
    fixture("test_input_required_result_elicitation", "rounds:elicitation", "Pregunta un nombre."),
    fixture("test_input_required_result_sampling", "rounds:sampling", "Pregunta al modelo del cliente."),
    fixture("test_input_required_result_list_roots", "rounds:list_roots", "Pregunta las raíces del cliente."),
    fixture("test_input_required_result_request_state", "rounds:request_state", "Entrega un estado y lo espera."),
    fixture("test_input_required_result_multiple_inputs", "rounds:multiple_inputs", "Pregunta tres cosas a la vez."),
    fixture("test_input_required_result_multi_round", "rounds:multi_round", "Pregunta en dos rondas."),
    fixture("test_input_required_result_tampered_state", "rounds:request_state", "Entrega un estado sellado."),
    fixture(
        "test_input_required_result_capabilities", "rounds:capabilities", "Pregunta solo lo que el cliente admite."
    ),
    _plain("json_schema_2020_12_tool", "echo", "Tiene palabras clave de JSON Schema 2020-12.", KEYWORDS_SCHEMA),
    _plain("test_x_mcp_header", "echo", "Tiene un argumento que también viaja en una cabecera.", HEADER_SCHEMA),
)

_RESOURCES = (
    Resource(
        "test://static-text",
        "static-text",
        "Texto fijo",
        "Un texto fijo.",
        f"{__package__}.plain:static_text",
        "text/plain",
    ),
    RawResource(
        "test://static-binary",
        "static-binary",
        "Imagen fija",
        "Una imagen PNG.",
        f"{__package__}.content:binary",
        "image/png",
    ),
    Resource(
        "test://watched-resource",
        "watched-resource",
        "Recurso vigilado",
        "Un recurso al que suscribirse.",
        f"{__package__}.plain:watched",
        "text/plain",
    ),
)

_TEMPLATE = ResourceTemplate(
    "test://template/{id}/data",
    "template",
    "Recurso con variable",
    "Datos del identificador dado.",
    f"{__package__}.plain:templated",
)

_PROMPTS = (
    Prompt("test_simple_prompt", "Plantilla fija", "Un texto fijo.", "This is a simple prompt for testing."),
    Prompt(
        "test_prompt_with_arguments",
        "Plantilla con argumentos",
        "Un texto con dos argumentos.",
        "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
        (PromptArgument("arg1", "Primer argumento.", True), PromptArgument("arg2", "Segundo argumento.", True)),
    ),
    RawPrompt(
        "test_prompt_with_embedded_resource",
        "Plantilla con recurso",
        "Un recurso incrustado y un texto.",
        "",
        (PromptArgument("resourceUri", "URI del recurso.", True),),
        answer=f"{__package__}.content:prompt_with_resource",
    ),
    RawPrompt(
        "test_prompt_with_image",
        "Plantilla con imagen",
        "Una imagen y un texto.",
        "",
        answer=f"{__package__}.content:prompt_with_image",
    ),
    RawPrompt(
        "test_input_required_result_prompt",
        "Plantilla que pregunta",
        "Pregunta su contexto al usuario.",
        "",
        answer=f"{__package__}.rounds:prompt",
    ),
)

plugin = Plugin(
    name="conformance",
    description="Piezas de prueba para la batería oficial de conformidad de MCP.",
    tools=_TOOLS,
    resources=_RESOURCES,
    templates=(_TEMPLATE,),
    prompts=_PROMPTS,
)
