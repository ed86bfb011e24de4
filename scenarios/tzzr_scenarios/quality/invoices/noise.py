"""What scanning, printing and copying do to an invoice's text.

Names and descriptions keep their letters: nobody could tell what a wrong one was. Elsewhere a reader can, since a
letter among figures is a figure (``1.2l0,O0``) and a figure within a word a letter (``T0TAL``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tzzr_mcp.seams import Dice

from .invoice import Invoice

__all__ = ["NOISES", "noisy"]

_AS_LETTER: Final = {"0": "O", "1": "l", "5": "S", "8": "B"}
_AS_FIGURE: Final = {"O": "0", "o": "0", "I": "1", "l": "1", "S": "5", "B": "8", "i": "1"}
_CONFUSED: Final = 0.02
_DOUBLED: Final = 0.08
_BROKEN: Final = 0.12

Noise = Callable[[str, set[int], Invoice, Dice], str]


def noisy(text: str, invoice: Invoice, names: tuple[str, ...], dice: Dice) -> str:
    """The text under the named noises, one after the other in the order of `NOISES`."""
    for name, noise in NOISES.items():
        if name in names:
            text = noise(text, _kept(text, invoice), invoice, dice.named(name))
    return text


def _kept(text: str, invoice: Invoice) -> set[int]:
    """The offsets of names and descriptions."""
    parties = [party for party in (invoice.issuer, invoice.recipient) if party]
    words = [line for party in parties for line in (party.name, party.street, party.town)]
    kept = set[int]()
    for word in [*words, *(row.description for row in invoice.rows)]:
        start = text.find(word)
        while start >= 0:
            kept.update(range(start, start + len(word)))
            start = text.find(word, start + 1)
    return kept


def _confused(text: str, kept: set[int], invoice: Invoice, dice: Dice) -> str:
    """``l`` for 1, ``0`` for O: one in fifty of the characters that look like another and have a neighbour of their own sort."""
    out = []
    for place, mark in enumerate(text):
        alike = _AS_LETTER if mark.isdigit() else _AS_FIGURE
        confused = mark in alike and place not in kept and _is_among_its_own(text, place) and dice.random() < _CONFUSED
        out.append(alike[mark] if confused else mark)
    return "".join(out)


def _is_among_its_own(text: str, place: int) -> bool:
    around = text[max(0, place - 1) : place] + text[place + 1 : place + 2]
    return any(mark.isdigit() if text[place].isdigit() else mark.isalpha() for mark in around)


def _broken(text: str, kept: set[int], invoice: Invoice, dice: Dice) -> str:
    """Lines that go on below, broken at a blank behind their fortieth column."""
    out, start = list[str](), 0
    for line in text.split("\n"):
        blanks = [at for at, mark in enumerate(line) if mark == " " and at >= 40 and start + at not in kept]
        if blanks and dice.random() < _BROKEN:
            at = dice.choice(blanks)
            out += [line[:at].rstrip(), line[at:].strip()]
        else:
            out.append(line)
        start += len(line) + 1
    return "\n".join(out)


def _doubled(text: str, kept: set[int], invoice: Invoice, dice: Dice) -> str:
    """Two blanks where there was one, within names too."""
    return "".join("  " if mark == " " and dice.random() < _DOUBLED else mark for mark in text)


def _paged(text: str, kept: set[int], invoice: Invoice, dice: Dice) -> str:
    """A page that ends in the middle: foot, form feed, and the head of the next one."""
    lines = text.split("\n")
    at = dice.integer(len(lines) // 3, max(len(lines) // 3, len(lines) - 4))
    foot = dice.choice(("Página 1 de 2", "Hoja 1/2", "- 1 -", "Pág. 1"))
    head = dice.choice(
        (f"{invoice.issuer.name}    Página 2 de 2", f"Factura {invoice.number} - Hoja 2/2", "- 2 -", "(continuación)")
    )
    register = "Inscrita en el Registro Mercantil, tomo 1423, folio 88, hoja 21.405"
    return "\n".join([*lines[:at], foot, *([register] if dice.random() < 0.5 else []), "\f" + head, *lines[at:]])


NOISES: Final[Mapping[str, Noise]] = MappingProxyType(
    {"page heads": _paged, "doubled blanks": _doubled, "broken lines": _broken, "confusions": _confused}
)
"""The noises by name, in the order in which they come upon a paper."""
