"""What stops a turn, as the person reads it: Spanish, and nothing of what somebody upstream says."""

from __future__ import annotations

from typing import Literal, Protocol


class Told(Protocol):
    """A failure that can be shown."""

    @property
    def code(self) -> str:
        """Its name, for programs."""
        ...

    @property
    def message(self) -> str:
        """The sentence for the person."""
        ...

    @property
    def retryable(self) -> bool:
        """Whether the same may work later."""
        ...


class Refused(Exception):
    """A failure with a code and a sentence."""

    retryable = False

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class ServerLost(Refused):
    """The MCP server cannot be reached, or went away. Nobody knows whether a call that was under way had an effect."""

    retryable = True

    def __init__(self) -> None:
        text = "No se puede llegar al servidor de herramientas. Vuelva a intentarlo en unos minutos."
        super().__init__("SERVER_UNREACHABLE", text)


class LimitReached(Refused):
    """A turn has used what it may."""

    def __init__(self, which: Literal["rounds", "tool_calls", "tokens", "time", "loop"], most: float) -> None:
        code, text = _LIMITS[which]
        super().__init__(code, text.format(most=f"{most:.10g}"))


class ModelAstray(Refused):
    """The model cannot use a tool, although it was told what is wrong with its arguments."""

    retryable = True

    def __init__(self, title: str) -> None:
        text = f"El modelo no consigue usar la herramienta «{title}»: sus argumentos no valen. Repita la pregunta con otras palabras."
        super().__init__("MODEL_ARGUMENTS", text)


class Misread(Refused):
    """A conversation that cannot be one; the sentence says what to change."""

    def __init__(self, message: str) -> None:
        super().__init__("CONVERSATION_INVALID", message)


class Busy(Refused):
    """As many turns as there may be are under way."""

    retryable = True

    def __init__(self, most: int) -> None:
        super().__init__(
            "BUSY", f"El servicio ya atiende {most} preguntas, su límite. Vuelva a intentarlo en unos segundos."
        )


class Stopping(Refused):
    """The gateway is being closed."""

    retryable = True

    def __init__(self) -> None:
        text = "El servicio se está deteniendo y la respuesta quedó sin terminar. Repita la pregunta más tarde."
        super().__init__("CANCELLED", text)


class NotThere(Refused):
    """The server has no resource of that URI, or does not give it."""

    def __init__(self, uri: str) -> None:
        super().__init__("RESOURCE_NOT_FOUND", f"El servidor no tiene el recurso «{uri[:200]}».")


INTERNAL = (
    "El servicio tuvo un problema al responder. Repita la pregunta; si sigue fallando, avise a quien lo administra."
)
_LIMITS = {
    "rounds": (
        "LIMIT_ROUNDS",
        "La respuesta necesita más de {most} consultas al modelo, el límite. Haga una pregunta más concreta.",
    ),
    "tool_calls": (
        "LIMIT_TOOL_CALLS",
        "La respuesta necesita más de {most} llamadas a herramientas, el límite. Haga una pregunta más concreta.",
    ),
    "tokens": (
        "LIMIT_TOKENS",
        "La respuesta ya ha usado {most} tokens del modelo, el límite. Haga una pregunta más concreta o empiece una conversación nueva.",
    ),
    "time": (
        "LIMIT_TIME",
        "La respuesta no terminó en {most} segundos, el límite. Haga una pregunta más concreta o repítala más tarde.",
    ),
    "loop": (
        "LIMIT_LOOP",
        "El modelo pidió {most} veces lo mismo a la misma herramienta, sin avanzar. Repita la pregunta con otras palabras.",
    ),
}
