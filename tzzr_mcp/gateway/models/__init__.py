"""What a model is to the gateway, whichever dialect it speaks.

adapter      settings in, a `Model` out
openai       chat completions, of OpenAI and everything compatible, through the official client
anthropic    Messages, through the official client
patience     tries again what may work a second time, on the seams' clock
failures     what goes wrong with a model, as Spanish sentences
"""

from __future__ import annotations

from tzzr_mcp.gateway.models.exchange import (
    Asked,
    Delta,
    Ended,
    Exchange,
    Model,
    Offer,
    Output,
    Question,
    Said,
    Told,
    ToolRequest,
    Used,
)
from tzzr_mcp.gateway.models.failures import ModelError

__all__ = [
    "Asked",
    "Delta",
    "Ended",
    "Exchange",
    "Model",
    "ModelError",
    "Offer",
    "Output",
    "Question",
    "Said",
    "Told",
    "ToolRequest",
    "Used",
]
