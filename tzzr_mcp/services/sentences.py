"""Every failure as one or two plain Spanish sentences: what happened, and what to do now.

They are made of the code and of details that were checked; never of an upstream's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.errors import Code, shown
from tzzr_mcp.services.spanish import alike, delay, listed, megabytes, number

Details = Mapping[str, Any]
Attempts = Sequence[Mapping[str, Any]]

SUBJECTS: Final[Mapping[str, str]] = {
    "CLASSIFIER": "No se pudo clasificar el texto",
    "SUMMARIZER": "No se pudo resumir el texto",
    "TRANSLATOR": "No se pudo traducir el texto",
    "EMBEDDINGS": "No se pudo calcular el vector del texto",
    "SENTIMENT": "No se pudo medir el tono del texto",
    "OCR_CORE": "No se pudo leer la imagen",
    "IMAGE_CAPTION": "No se pudo describir la imagen",
    "ASR_ENGINE": "No se pudo transcribir la grabación",
    "TTS_ENGINE": "No se pudo leer el texto en voz alta",
    "FIELD_EXTRACTOR": "No se pudieron extraer los campos de la factura",
    "LANG_DETECT": "No se pudo detectar el idioma",
    "HASHER": "No se pudo calcular la huella",
    "HST": "No se pudieron consultar los tags",
    "HST_TAG": "No se encontró el tag",
    "CONTEXT": "No se pudo leer el contexto del agente",
}
"""What was not done, by module or service."""

ENGINES: Final[Mapping[str, str]] = {
    "OCR_LOCAL": "local",
    "OCR_GROQ": "Groq",
    "OCR_OPENAI": "OpenAI",
    "ASR_WHISPER_LOCAL": "Whisper local",
    "ASR_FASTER_WHISPER": "Faster Whisper",
    "ASR_GROQ": "Groq",
}
"""The modules of a chain as a person calls them."""

_KINDS: Final = {"OCR_CORE": "OCR", "ASR_ENGINE": "transcripción"}
_COUNTS: Final = {2: "los dos", 3: "los tres"}

_RETRY: Final = "Vuelva a intentarlo dentro de un minuto"
_TELL: Final = "Repetir la llamada no sirve: avise a quien mantiene el servidor"
_SHORTER: Final = "Vuelva a intentarlo, o envíe menos contenido"

_Told = tuple[str, str]
_Telling = _Told | Callable[[Details], _Told]


def sentence(code: Code, subject: str, details: Details, attempts: Attempts = ()) -> str:
    """What happened to ``subject`` (a key of `SUBJECTS`, or a module), and what to do."""
    if code is Code.FALLBACK_EXHAUSTED:
        reason, act = exhausted(subject, attempts)
    else:
        told = _TELLINGS[code]
        reason, act = told(details) if callable(told) else told
    return f"{SUBJECTS.get(_head(subject), 'No se pudo completar la petición')}: {reason}. {act}."


def exhausted(module: str, attempts: Attempts) -> _Told:
    """All engines of a chain failed: each with its reason, and the shortest wait that one of them asked for."""
    errors = [(attempt["module"], attempt["error"]) for attempt in attempts if "error" in attempt]
    hops = "; ".join(f"{ENGINES.get(name, name)}: {hop_reason(error)}" for name, error in errors)
    kind = _KINDS.get(_head(module), "GRACE")
    who = f"{_COUNTS.get(len(errors), 'todos los')} motores de {kind} fallaron"
    if len(errors) == 1:
        who = f"el motor de {kind} falló"
    waits = [wait for _, error in errors if (wait := error["details"].get("retry_after_s"))]
    return f"{who} ({hops})" if hops else who, f"Vuelva a intentarlo en {delay(min(waits))}" if waits else _RETRY


def hop_reason(error: Details) -> str:
    """Why one engine of a chain failed, in a few words."""
    wait = error.get("details", {}).get("retry_after_s")
    reason = _HOPS.get(error["code"], "falló")
    return f"{reason}, reintentar en {delay(wait)}" if wait else reason


_HOPS: Final[Mapping[str, str]] = {
    Code.MODULE_UNAVAILABLE: "no disponible",
    Code.MODULE_TIMEOUT: "tiempo agotado",
    Code.RATE_LIMITED: "límite de uso",
    Code.LOW_CONFIDENCE: "confianza demasiado baja",
    Code.INTERNAL: "error interno",
    Code.PAYLOAD_CORRUPT: "contenido dañado",
    Code.PAYLOAD_UNSUPPORTED: "tipo de contenido no admitido",
    Code.PAYLOAD_TOO_LARGE: "contenido demasiado grande",
    Code.LANG_UNSUPPORTED: "idioma no disponible",
    Code.GRACE_JOB_FAILED: "el trabajo falló",
    Code.GRACE_JOB_TIMEOUT: "el trabajo caducó",
    Code.GRACE_BAD_RESPONSE: "respuesta ilegible",
    Code.CIRCUIT_OPEN: "en pausa tras varios fallos",
}


def _head(module: str) -> str:
    """The module that a user knows: the head of the chain that ``module`` belongs to."""
    return next((head.name for head in MODULES.values() if module in head.chain), module)


def _in(details: Details) -> str:
    wait = details.get("retry_after_s")
    return f"Vuelva a intentarlo en {delay(wait)}" if wait else _RETRY


def _low_confidence(details: Details) -> _Told:
    figures = ""
    if "confidence" in details and "threshold" in details:
        figures = f" ({number(details['confidence'], 2)}; se exige {number(details['threshold'], 2)})"
    act = "Envíe un contenido más claro o más largo; clasificar acepta modo=lenient si basta una respuesta insegura"
    return f"la confianza de la respuesta es demasiado baja{figures}", act


def _unsupported(details: Details) -> _Told:
    accepted = details.get("accepted")
    act = f"Envíe uno de estos tipos: {listed(accepted, 'o')}" if accepted else "Envíe el contenido en otro formato"
    return "el servicio no admite este tipo de contenido", act


def _too_large(details: Details) -> _Told:
    figures = [
        f"{what} {megabytes(details[name])}"
        for name, what in (("size_bytes", "ocupa"), ("limit_bytes", "el máximo es"))
        if name in details
    ]
    told = f" ({'; '.join(figures)})" if figures else ""
    return f"el contenido es demasiado grande{told}", "Envíe uno más pequeño o divídalo en partes"


def _lang_unsupported(details: Details) -> _Told:
    supported = details.get("supported")
    act = f"Indique uno de estos: {listed(supported, 'o')}" if supported else "Indique otro idioma"
    return "ese idioma no está disponible", act


def _job_failed(details: Details) -> _Told:
    reason = {"worker_lost": "el trabajo se perdió en GRACE", "not_ready": "GRACE no terminó de arrancar"}.get(
        str(details.get("cause")), "el trabajo falló en GRACE"
    )
    act = f"{_RETRY}; si se repite, avise a quien mantiene el servidor"
    return reason, act


def _grace_auth(details: Details) -> _Told:
    if details.get("status") == 403:  # also what a gateway says that refuses the client itself (runpod.md §3)
        return (
            "el acceso a GRACE está denegado",
            "Revise los permisos de RUNPOD_API_KEY y la salida a Internet del servidor",
        )
    act = "Revise RUNPOD_API_KEY en la configuración del servidor; repetir la llamada no sirve"
    return "GRACE rechazó la clave de acceso", act


def _deadline(details: Details) -> _Told:
    state = details.get("state")
    if state is None:
        return "GRACE no contestó a tiempo", _RETRY
    if state == "IN_QUEUE":
        return "el trabajo seguía en cola en GRACE al acabarse el tiempo, y se canceló", _RETRY
    return "GRACE no terminó a tiempo y el trabajo se canceló", _SHORTER


def _bad_response(who: str, details: Details) -> _Told:
    status = details.get("status")
    if status is not None and 300 <= status < 500:
        return f"{who} no aceptó la petición (estado HTTP {status})", _TELL
    return f"{who} devolvió una respuesta que no se entiende", _RETRY


def _hst_not_found(details: Details) -> _Told:
    if "ref" not in details:
        return "la biblioteca no existe o no se puede leer con este token", "Revise los permisos de HST_TOKEN"
    near = details.get("near")
    act = alike(near) if near else "Búsquelo con buscar_tags por su nombre"
    return f"la referencia {shown(details['ref'])} no existe o no se puede leer con este token", act


def _params_invalid(details: Details) -> _Told:
    arguments = details.get("arguments")
    if not arguments:
        return "GRACE rechazó alguna de las opciones", "Revise los argumentos opcionales de la llamada"
    named = listed([f"«{name}»" for name in arguments])
    return f"GRACE rechazó el valor de {named}", "Cámbielo y repita la llamada"


_SERVICES: Final[Mapping[str | None, str]] = {
    "grace": "GRACE",
    "hst": "HST (Directus)",
    "context": "el gestor de contexto",
}
"""The services as a person calls them, by the name that their errors carry."""


def _circuit_open(details: Details) -> _Told:
    who = _SERVICES.get(details.get("service"), "el servicio")
    if "module" in details:
        who = f"el módulo {details['module']} de GRACE"
    return f"{who} falló varias veces seguidas y no se le pregunta durante un momento", _in(details)


def _busy(details: Details) -> _Told:
    who = _SERVICES.get(details.get("service"))
    whose = f" a {who}" if who else ""
    return f"el servidor está ocupado con otras peticiones{whose}", _in(details)


_TELLINGS: Final[Mapping[Code, _Telling]] = {
    Code.CONTRACT_INVALID: ("GRACE rechazó la forma de la petición", _TELL),
    Code.CONTRACT_VERSION_UNSUPPORTED: ("GRACE no admite la versión 2.1 del contrato", _TELL),
    Code.MODULE_UNKNOWN: ("GRACE no conoce el módulo que lo hace", _TELL),
    Code.PAYLOAD_UNSUPPORTED: _unsupported,
    Code.PAYLOAD_TOO_LARGE: _too_large,
    Code.PAYLOAD_CORRUPT: (
        "el contenido está dañado o no es del tipo que se indica",
        "Compruebe el archivo y vuelva a enviarlo",
    ),
    Code.PARAMS_INVALID: _params_invalid,
    Code.LANG_UNSUPPORTED: _lang_unsupported,
    Code.LOW_CONFIDENCE: _low_confidence,
    Code.MODULE_UNAVAILABLE: ("el servicio que lo hace no está disponible ahora", _RETRY),
    Code.MODULE_TIMEOUT: ("el servicio que lo hace tardó demasiado", _SHORTER),
    Code.RATE_LIMITED: lambda details: ("se alcanzó el límite de uso", _in(details)),
    Code.INTERNAL: (
        "GRACE tuvo un error interno",
        f"{_RETRY}; si se repite, avise a quien mantiene el servidor",
    ),
    Code.BUSY: _busy,
    Code.CANCELLED: ("la llamada fue cancelada", "Vuelva a pedirlo si todavía lo necesita"),
    Code.GRACE_UNREACHABLE: ("GRACE no responde", _RETRY),
    Code.GRACE_AUTH: _grace_auth,
    Code.GRACE_ENDPOINT_NOT_FOUND: (
        "el punto de acceso de GRACE no existe",
        "Revise GRACE_ENDPOINT_ID y GRACE_BASE_URL en la configuración del servidor",
    ),
    Code.GRACE_RATE_LIMITED: lambda details: ("GRACE recibe ahora demasiadas peticiones", _in(details)),
    Code.GRACE_JOB_FAILED: _job_failed,
    Code.GRACE_JOB_CANCELLED: ("el trabajo fue cancelado en GRACE", "Vuelva a pedirlo si todavía lo necesita"),
    Code.GRACE_JOB_TIMEOUT: ("el trabajo caducó en GRACE antes de terminar", _SHORTER),
    Code.GRACE_DEADLINE: _deadline,
    Code.GRACE_BAD_RESPONSE: partial(_bad_response, "GRACE"),
    Code.CONTRACT_MISMATCH: ("GRACE devolvió la respuesta de otra petición, y se descartó", _TELL),
    Code.CIRCUIT_OPEN: _circuit_open,
    Code.HST_UNREACHABLE: ("HST (Directus) no responde", _RETRY),
    Code.HST_AUTH: (
        "HST rechazó el token",
        "Revise HST_TOKEN en la configuración del servidor; repetir la llamada no sirve",
    ),
    Code.HST_NOT_FOUND: _hst_not_found,
    Code.HST_RATE_LIMITED: lambda details: ("HST recibe ahora demasiadas peticiones", _in(details)),
    Code.HST_BAD_RESPONSE: partial(_bad_response, "HST"),
    Code.CONTEXT_UNREACHABLE: ("el gestor de contexto no responde", _RETRY),
    Code.CONTEXT_AUTH: (
        "el gestor de contexto rechazó el acceso",
        "Revise CONTEXT_TOKEN en la configuración del servidor",
    ),
    Code.CONTEXT_RATE_LIMITED: lambda details: (
        "el gestor de contexto recibe ahora demasiadas peticiones",
        _in(details),
    ),
    Code.CONTEXT_NOT_FOUND: ("el gestor de contexto no conoce a ese agente", "Compruebe el identificador"),
    Code.CONTEXT_BAD_RESPONSE: partial(_bad_response, "el gestor de contexto"),
}
