"""A case's request as a line for a shell, the values of tokens left out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping

import httpx

from tzzr_mocks.hst.conformance.cases import Case
from tzzr_mocks.hst.conformance.over_http import target

_SPECIAL = re.compile(r'[\\"$`]')


def curl_line(base: httpx.URL, case: Case, tokens: Mapping[str, str], secret: Collection[str]) -> str:
    """``curl -g …``; ``${reader}`` stands where the line needs a secret token, and is a variable of the shell."""
    shown = {**tokens, **{name: f"${{{name}}}" for name in secret}}
    method = case.request["method"]
    words = ["curl", "-g", *({"GET": (), "HEAD": ("-I",)}.get(method, ("-X", method)))]
    for name, value in case.headers(shown).items():
        words += ["-H", _quoted(f"{name}: {value}", secret)]
    if content := case.content(shown).decode():
        words += ["--data-raw", _quoted(content, secret)]
    origin = f"{base.scheme}://{base.netloc.decode()}"
    return " ".join([*words, _quoted(origin + target(base, case, shown).decode(), secret)])


def _quoted(text: str, secret: Collection[str]) -> str:
    """Quoted for a shell, so that ``${name}`` of a secret still stands for a variable, and nothing else does."""
    slot = re.compile("|".join(rf"\$\{{{re.escape(name)}\}}" for name in secret) or r"(?!)")
    if not slot.search(text):
        return shlex.quote(text)
    plain = [_SPECIAL.sub(r"\\\g<0>", piece) for piece in slot.split(text)]
    names = [*slot.findall(text), ""]
    return '"' + "".join(piece + name for piece, name in zip(plain, names, strict=True)) + '"'
