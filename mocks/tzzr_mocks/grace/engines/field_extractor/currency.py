"""The invoice's currency."""

from __future__ import annotations

import re

from .found import Found
from .page import Page

__all__ = ["currency_of"]

_SIGNS = {
    "EUR": r"€|\beur(?:os?)?\b", "USD": r"us\$|\$|\busd\b|\bdolares?\b", "GBP": r"£|\bgbp\b|\blibras?\b",
    "CHF": r"\bchf\b", "JPY": r"¥|\bjpy\b", "SEK": r"\bsek\b", "PLN": r"\bpln\b", "MXN": r"\bmxn\b",
}  # fmt: skip
_SIGN = re.compile("|".join(f"(?P<{code}>{pattern})" for code, pattern in _SIGNS.items()))
_NAMED = re.compile(r"(?:moneda|divisa|currency)\s*[:.]?\s*$")
_BESIDE_FIGURES = re.compile(r"\d\s?$")


def currency_of(page: Page) -> Found | None:
    """The currency named as such, else the one that stands beside most amounts, else the first that is named."""
    signs = list(_SIGN.finditer(page.folded))
    named = [sign for sign in signs if _NAMED.search(page.folded[max(0, sign.start() - 20) : sign.start()])]
    beside = [sign for sign in signs if _is_beside_figures(page, sign)]
    for pool, confidence in ((named, 0.98), (beside, 0.97), (signs, 0.8)):
        if pool:
            codes = [sign.lastgroup for sign in pool]
            first = max(pool, key=lambda sign: (codes.count(sign.lastgroup), -sign.start()))
            return Found(first.lastgroup, first.span(), confidence)
    return None


def _is_beside_figures(page: Page, sign: re.Match[str]) -> bool:
    before = page.folded[max(0, sign.start() - 2) : sign.start()]
    after = page.folded[sign.end() : sign.end() + 2].strip()
    return bool(_BESIDE_FIGURES.search(before)) or after[:1].isdigit()
