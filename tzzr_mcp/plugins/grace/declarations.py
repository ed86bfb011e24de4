"""The nine tools of GRACE, its resource and its prompts, as MCP shows them. Imports nothing that runs."""

from __future__ import annotations

from typing import Final

from tzzr_mcp.contract.catalogue import module_of
from tzzr_mcp.contract.tools import INPUT_SCHEMAS, data_schema
from tzzr_mcp.plugins.api import DeclaredSource, Plugin, Resource, Tool
from tzzr_mcp.plugins.grace.settings import GraceSettings
from tzzr_mcp.plugins.grace.texts.prompts import PROMPTS

_PACKAGE: Final = "tzzr_mcp.plugins.grace"
_WORDS_ALONE: Final = frozenset({"resumir", "traducir", "embeddings", "generar_hash"})
"""Tools whose results hold no table."""


def _tool(family: str, name: str, title: str, description: str, *questions: str) -> Tool:
    module = module_of(name).name
    return Tool(
        name=name,
        title=title,
        description=description,
        input_schema=INPUT_SCHEMAS[name],
        data_schema=data_schema(module),
        source=DeclaredSource("GRACE", "service"),
        run=f"{_PACKAGE}.{family}:{name}",
        tables=name not in _WORDS_ALONE,
        questions=questions,
        meta={"tzzr/module": module},
    )


TOOLS: Final = (
    _tool(
        "semantic",
        "clasificar",
        "Clasificar un texto",
        "Asigna a un texto la categoría que mejor le corresponde, con su confianza y las alternativas. Úsela para "
        "saber de qué tipo es un documento. Con «categorias» elige solo entre las que se le den; sin ellas usa las "
        "del servicio. Para extraer los datos de una factura use extraer_campos.",
    ),
    _tool(
        "semantic",
        "resumir",
        "Resumir un texto",
        "Resume un texto en un párrafo o en puntos, con un máximo de palabras. Úsela con textos largos (informes, "
        "actas, contratos) antes de razonar sobre ellos.",
    ),
    _tool(
        "vision",
        "ocr",
        "Leer el texto de una imagen",
        "Lee el texto de una imagen (PNG, JPEG, TIFF, WebP) o de un PDF. Dé exactamente uno de estos: «imagen_base64», "
        "o «archivo» con una ruta de la máquina del servidor. Si un motor falla prueba el siguiente y lo dice.",
    ),
    _tool(
        "voice",
        "transcribir",
        "Transcribir una grabación",
        "Convierte una grabación (WAV, MP3, OGG, FLAC, MP4) en texto, con sus tramos si se piden. Dé exactamente uno "
        "de estos: «audio_base64», o «archivo» con una ruta de la máquina del servidor.",
    ),
    _tool(
        "semantic",
        "traducir",
        "Traducir un texto",
        "Traduce un texto al idioma que se indique con su código ISO 639 (es, ca, en, fr…). El idioma de origen se "
        "detecta si no se da.",
        "Traduce al inglés: La reunión empieza a las nueve.",
    ),
    _tool(
        "utilities",
        "extraer_campos",
        "Extraer los campos de una factura",
        "Saca de una factura en texto los nombres y NIF de las partes, número, fechas, bases, IVA, IRPF, total, IBAN y "
        "líneas, y comprueba dígitos de control y sumas. Si la factura es una imagen o un PDF, léala antes con ocr.",
        "Extraiga los datos de esta factura:\nFACTURA F-2026-0147\nHierros Lizarra, S.L.  CIF B71000012\n"
        "Cliente: Talleres Oihan, S.A.  CIF A31000029\nFecha: 09/03/2026  Vencimiento: 08/04/2026\n"
        "Base imponible 1.250,00 €\nIVA 21 % 262,50 €\nTotal 1.512,50 €",
    ),
    _tool(
        "semantic",
        "embeddings",
        "Calcular el vector de un texto",
        "Convierte un texto en un vector de norma 1, para comparar significados: cuanto mayor es el producto escalar "
        "de dos vectores, más se parecen sus textos. El vector completo va en los datos, no en el texto.",
    ),
    _tool(
        "utilities",
        "detectar_idioma",
        "Detectar el idioma de un texto",
        "Dice en qué idioma está escrito un texto (código ISO 639), con su confianza y las alternativas.",
    ),
    _tool(
        "utilities",
        "generar_hash",
        "Calcular una huella criptográfica",
        "Calcula la huella (sha256, sha512, sha3_256 o blake2b) de un texto o de un contenido en base64, para "
        "comprobar que no ha cambiado. Dé exactamente uno de estos: «texto» o «contenido_base64».",
    ),
)
"""In the order of contract §5."""

MODULES: Final = Resource(
    uri="tzzr://grace/modules",
    name="grace-modules",
    title="Módulos de GRACE",
    description="Catálogo de los 18 módulos de GRACE: familia, herramienta, contenido que aceptan, parámetros y cadena.",
    read=f"{_PACKAGE}.modules:read",
)

plugin: Final = Plugin(
    name="grace",
    description="Procesamiento cognitivo con GRACE: texto, imagen, voz y facturas.",
    settings=GraceSettings,
    tools=TOOLS,
    resources=(MODULES,),
    prompts=PROMPTS,
    lifespan=f"{_PACKAGE}.clients:lifespan",
    probes=(f"{_PACKAGE}.clients:probe",),
)
