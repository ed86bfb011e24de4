"""Tax identity numbers (NIF, CIF, NIE, EU VAT) and IBANs: found by their form, checked by their digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from stdnum import iban as iban_number
from stdnum.es import nif as spanish
from stdnum.eu import vat as european

from .found import Found
from .page import Page

__all__ = ["TaxId", "account_of", "account_spans", "tax_ids_of"]

_SEPARATOR = r"[-. ]?"
_SPANISH = re.compile(
    rf"(?<![A-Z0-9])(?P<country>ES{_SEPARATOR})?(?P<number>"
    rf"[ABCDEFGHJNPQRSUVW]{_SEPARATOR}\d{{2}}\.?\d{{3}}\.?\d{{2}}{_SEPARATOR}[0-9A-J]"
    rf"|[XYZ]{_SEPARATOR}\d\.?\d{{3}}\.?\d{{3}}{_SEPARATOR}[A-Z]"
    rf"|[KLM]{_SEPARATOR}\d{{7}}{_SEPARATOR}[A-Z]"
    rf"|\d{{1,2}}\.?\d{{3}}\.?\d{{3}}{_SEPARATOR}[A-Z])(?![A-Z0-9]|[.,-]\d)"
)
_LABEL = re.compile(
    r"(?:N\.?\s?I\.?\s?F\.?|C\.?\s?I\.?\s?F\.?|N\.?I\.?E\.?|D\.?N\.?I\.?|VAT|IVA|TVA|TAX|UST|PARTITA|NIPC|STEUERNUMMER|INTRACOMUNITARIO|"
    r"OPERADOR|VIES|NOI)(?![A-Z])[^\n]{0,28}?$"
)
_COUNTRIES = "AT|BE|BG|CY|CZ|DE|DK|EE|EL|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI"
_FOREIGN = re.compile(
    rf"(?<![A-Z0-9])(?:{_COUNTRIES}){_SEPARATOR}(?=[A-Z0-9+*]*\d)[A-Z0-9+*]{{2,14}}(?:[. ]\d{{2,4}}){{0,4}}(?:[ ]?B\d{{2}})?(?![A-Z0-9]|[.,]\d)"
)
_IBAN = re.compile(r"(?<![A-Z0-9])(?=([A-Z]{2}[ -]?\d{2}(?:[ -]{0,2}[A-Z0-9]){11,30}(?![A-Z0-9])))")
_AS_FIGURES = str.maketrans("OILSB", "01158")
_CONFUSED_IBAN = re.compile(r"(?<![A-Z0-9])E[S5](?:[ -]{0,2}[0-9OILSB]){22}(?![A-Z0-9])")
_CONFUSED_NIF = re.compile(
    r"(?<![A-Z0-9.,])(?P<country>(?:E[S5][- ]?)?)(?P<first>[A-Z0-9])(?P<middle>[- .]?(?:[0-9OILSB]\.?){7}[- ]?)(?P<last>[A-Z0-9])"
    r"(?![A-Z0-9]|[.,-]\d)"
)
_BROKEN_IBAN = re.compile(r"(?<![A-Z0-9])ES[ -]?\d{2}(?:[ -]{0,2}\n?[ ]?\d){20}(?![A-Z0-9])")
_IBAN_LENGTHS = range(34, 14, -1)
_SPANISH_IBAN = 24
_SPANISH_START = re.compile(r"ES[ -]?\d{2}[ -]?\d{4}")


@dataclass(frozen=True, slots=True)
class TaxId:
    """A tax number: its compact form, where it stands, and whether its check digits hold."""

    value: str
    start: int
    end: int
    valid: bool

    @property
    def found(self) -> Found:
        """The number as a value of the page."""
        return Found(self.value, (self.start, self.end), 0.97 if self.valid else 0.85, self.valid)


def tax_ids_of(page: Page) -> list[TaxId]:
    """Every tax number of the page outside IBANs, in reading order."""
    text, blocked = _upper(page), account_spans(page)
    ids = sorted([*_spanish_ids(text), *_foreign_ids(page, text)], key=lambda found: (found.start, -found.end))
    kept: list[TaxId] = []
    for found in ids:
        inside_account = any(start <= found.start < end for start, end in blocked)
        if not inside_account and (not kept or found.start >= kept[-1].end):
            kept.append(found)
    return kept


def account_of(page: Page) -> Found | None:
    """The first IBAN whose check digits hold, else the first that has the form of one."""
    accounts = _accounts(_upper(page))
    return next((account for account in accounts if account.valid), accounts[0] if accounts else None)


def account_spans(page: Page) -> list[tuple[int, int]]:
    """Where IBANs stand."""
    return [account.span for account in _accounts(_upper(page)) if account.span]


def _upper(page: Page) -> str:
    """The page in capitals, character for character, and confused characters mended where check digits then hold."""
    return _mended("".join(upper if len(upper := mark.upper()) == 1 else mark for mark in page.folded))


@lru_cache(maxsize=4)
def _mended(text: str) -> str:
    return _CONFUSED_NIF.sub(_mended_nif, _CONFUSED_IBAN.sub(_mended_iban, text))


def _mended_iban(match: re.Match[str]) -> str:
    number = "ES" + match.group()[2:].translate(_AS_FIGURES)
    return number if iban_number.is_valid(number, check_country=False) else match.group()


def _mended_nif(match: re.Match[str]) -> str:
    """A tax number whose middle, and then whose ends, are read as figures; as it is when none of these holds."""
    first, middle, last = match["first"], match["middle"].translate(_AS_FIGURES), match["last"]
    ends = product((first, first.translate(_AS_FIGURES)), (last, last.translate(_AS_FIGURES)))
    numbers = (begun + middle + ended for begun, ended in ends)
    valid = next((number for number in numbers if spanish.is_valid(_compact(number))), None)
    return match["country"].replace("5", "S") + valid if valid else match.group()


def _compact(number: str) -> str:
    return re.sub(r"[-. ]", "", number)


def _spanish_ids(text: str) -> Iterator[TaxId]:
    for match in _SPANISH.finditer(text):
        number = re.sub(r"[-. ]", "", match["number"])
        prefix = "ES" if match["country"] else ""
        valid = spanish.is_valid(number)
        labelled = _LABEL.search(text, max(0, match.start() - 50), match.start())
        if valid or labelled or not number[0].isdigit():
            yield TaxId(prefix + number, match.start(), match.end(), valid)


def _foreign_ids(page: Page, text: str) -> Iterator[TaxId]:
    for match in _FOREIGN.finditer(text):
        in_capitals = page.text[match.start() : match.start() + 2].isupper()
        labelled = in_capitals and _LABEL.search(text, max(0, match.start() - 50), match.start())
        end = next((end for end in _ends(match) if european.is_valid(text[match.start() : end])), None)
        if end or labelled:
            last = end or match.end()
            number = re.sub(r"[-. ]", "", text[match.start() : last])
            yield TaxId(number, match.start(), last, end is not None)


def _ends(match: re.Match[str]) -> Iterator[int]:
    """Where a number may end: at its full length, or before each blank, longest first."""
    yield match.end()
    for place in range(match.end() - 1, match.start() + 4, -1):
        if match.string[place] == " ":
            yield place


@lru_cache(maxsize=4)
def _accounts(text: str) -> tuple[Found, ...]:
    """All IBANs in reading order; where two overlap, the one whose check digits hold."""
    kept: list[Found] = []
    for account in sorted(_possible_accounts(text), key=lambda account: not account.valid):
        if account.span and all(not _overlap(account.span, other.span) for other in kept):
            kept.append(account)
    return tuple(sorted(kept, key=lambda account: account.span or (0, 0)))


def _overlap(one: tuple[int, int], other: tuple[int, int] | None) -> bool:
    return other is not None and one[0] < other[1] and other[0] < one[1]


def _possible_accounts(text: str) -> Iterator[Found]:
    for match in _IBAN.finditer(text):
        places = [place for place in range(*match.span(1)) if text[place].isalnum()]
        is_spanish = text.startswith("ES", match.start())
        lengths = (_SPANISH_IBAN,) if is_spanish else _IBAN_LENGTHS
        length = next((n for n in lengths if n <= len(places) and _is_iban(text, places[:n])), None)
        valid = length is not None
        if length is None:
            length = _SPANISH_IBAN if is_spanish else len(places)
        if length <= len(places) and (valid or _is_labelled(text, match)):
            number = "".join(text[place] for place in places[:length])
            yield Found(number, (match.start(), places[length - 1] + 1), 0.98 if valid else 0.8, valid)
    for match in _BROKEN_IBAN.finditer(text):
        number = re.sub(r"[\s-]", "", match.group())
        if "\n" in match.group() and iban_number.is_valid(number, check_country=False):
            yield Found(number, match.span(), 0.98, True)


def _is_iban(text: str, places: list[int]) -> bool:
    """Whether the two check digits hold; a bank's own check digits further in are not asked for."""
    return bool(iban_number.is_valid("".join(text[place] for place in places), check_country=False))


def _is_labelled(text: str, match: re.Match[str]) -> bool:
    """An account that fails its check is believed when its country is Spain's or the word stands before it."""
    return bool(_SPANISH_START.match(text, match.start())) or "IBAN" in text[max(0, match.start() - 30) : match.start()]
