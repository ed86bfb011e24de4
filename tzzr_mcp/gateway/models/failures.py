"""What goes wrong with a model, as the person reads it: Spanish, and nothing of what the model's maker says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Code = Literal[
    "MODEL_AUTH",
    "MODEL_NOT_FOUND",
    "MODEL_QUOTA",
    "MODEL_RATE_LIMITED",
    "MODEL_REJECTED",
    "MODEL_DOWN",
    "MODEL_UNREACHABLE",
    "MODEL_TIMEOUT",
    "MODEL_CUT",
    "MODEL_GARBLED",
    "MODEL_SILENT",
]

SENTENCES: Mapping[Code, str] = {
    "MODEL_AUTH": "El modelo no acepta la clave del servicio. Avise a quien lo administra.",
    "MODEL_NOT_FOUND": "El modelo configurado no existe en su proveedor. Avise a quien administra el servicio.",
    "MODEL_QUOTA": "La cuenta del modelo no tiene saldo. Avise a quien administra el servicio.",
    "MODEL_RATE_LIMITED": "El modelo recibe demasiadas peticiones en este momento. Espere un poco y repita la pregunta.",
    "MODEL_REJECTED": "El modelo no admite esta conversación; quizá sea demasiado larga. Empiece una conversación nueva.",
    "MODEL_DOWN": "El modelo tiene un problema en este momento. Vuelva a intentarlo en unos minutos.",
    "MODEL_UNREACHABLE": "No se puede llegar al modelo. Vuelva a intentarlo en unos minutos.",
    "MODEL_TIMEOUT": "El modelo tarda demasiado en responder. Vuelva a intentarlo en unos minutos.",
    "MODEL_CUT": "La respuesta del modelo se cortó antes de terminar. Repita la pregunta.",
    "MODEL_GARBLED": "El modelo respondió algo que no se entiende. Repita la pregunta.",
    "MODEL_SILENT": "El modelo no respondió nada. Repita la pregunta con otras palabras.",
}
_LASTING: frozenset[Code] = frozenset({"MODEL_AUTH", "MODEL_NOT_FOUND", "MODEL_QUOTA", "MODEL_REJECTED"})
"""What the same request will meet again."""
_STATUSES: Mapping[int, Code] = {
    401: "MODEL_AUTH",
    402: "MODEL_QUOTA",
    403: "MODEL_AUTH",
    404: "MODEL_NOT_FOUND",
    408: "MODEL_TIMEOUT",
    429: "MODEL_RATE_LIMITED",
    504: "MODEL_TIMEOUT",
}


@dataclass
class ModelError(Exception):
    """No answer, or only the beginning of one. ``after_s`` is how long the model asks to wait before another try."""

    code: Code
    after_s: float | None = None

    def __post_init__(self) -> None:
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The sentence for the person."""
        return SENTENCES[self.code]

    @property
    def retryable(self) -> bool:
        """Whether the same request may work later."""
        return self.code not in _LASTING


def of_status(status: int, retry_after: str | None = None) -> ModelError:
    """The failure that an HTTP status tells of."""
    code: Code = _STATUSES.get(status, "MODEL_DOWN" if status >= 500 else "MODEL_REJECTED")
    return ModelError(code, _seconds(retry_after))


def _seconds(retry_after: str | None) -> float | None:
    """``Retry-After`` in seconds; a date, which the models' makers do not send, counts as nothing."""
    try:
        seconds = float(retry_after or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < 86400 else None
