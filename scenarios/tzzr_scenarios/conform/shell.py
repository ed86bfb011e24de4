"""A request as a line for a shell, its secret left out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

LONGEST = 60_000
"""Characters of a body that a line shows whole: any recording of the samples."""
_CUT = 300
VARIABLE = "RUNPOD_API_KEY"
_SPECIAL = re.compile(r'[\\"$`]')


def curl_line(method: str, url: str, headers: Mapping[str, str], content: str, secret: str | None) -> str:
    """``curl -g …``; ``${RUNPOD_API_KEY}`` stands where the line needs the secret, and is a variable of the shell."""
    words = ["curl", "-g", *(() if method == "GET" else ("-X", method))]
    for name, value in headers.items():
        words += ["-H", _quoted(f"{name}: {value}", secret)]
    if content:
        cut = content if len(content) <= LONGEST else f"{content[:_CUT]}… ({len(content)} characters in all)"
        words += ["--data-raw", _quoted(cut, secret)]
    return " ".join([*words, _quoted(url, secret)])


def _quoted(text: str, secret: str | None) -> str:
    if not secret or secret not in text:
        return shlex.quote(text)
    pieces = [_SPECIAL.sub(r"\\\g<0>", piece) for piece in text.split(secret)]
    return '"' + f"${{{VARIABLE}}}".join(pieces) + '"'
