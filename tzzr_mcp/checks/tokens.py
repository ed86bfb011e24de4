"""Keys and tokens: refused at start when no header could carry them."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, SecretStr

_PRINTABLE = re.compile(r"[!-~]+")


def _token(value: SecretStr) -> SecretStr:
    """``value`` when it fits into the header ``Authorization``."""
    if value.get_secret_value() and not _PRINTABLE.fullmatch(value.get_secret_value()):
        raise ValueError("should be printable ASCII without blanks and line breaks")
    return value


Token: TypeAlias = Annotated[SecretStr, AfterValidator(_token)]
"""A key or token that is sent as ``Authorization: Bearer …``."""
