"""Telling a party's name from what else stands around it: addresses, telephones, numbers and titles."""

from __future__ import annotations

import re

from .page import Page

__all__ = ["has_legal_form", "name_in"]

_LEGAL_FORM = re.compile(
    r"\b(?:s\.?\s?l\.?(?:\s?u\.?|\s?p\.?|\s?l\.?|\s?n\.?\s?e\.?)?|s\.?\s?a\.?(?:\s?u\.?|\s?t\.?)?|s\.?\s?c\.?(?:\s?p\.?)?|c\.?\s?b\.?|"
    r"s\.?\s?coop\b\.?(?:\s+\w+\.?)?|a\.?i\.?e\.?|gmbh|ag|kg|ltd\.?|limited|plc|llc|inc\.?|sarl|sas|s\.?a\.?s\.?|s\.?r\.?l\.?|s\.?p\.?a\.?|"
    r"b\.?v\.?|n\.?v\.?|lda\.?|oy|ab|aps|a/s|sociedad\s+(?:limitada|anonima|cooperativa))(?![\w])"
)
_LEAD = re.compile(
    r"(?:nombre(?:\s+y\s+apellidos)?(?:\s*(?:o|/|y)\s*(?:razon|denominacion)\s+social)?(?:\s+(?:fiscal|comercial|completo))?|razon\s+social|"
    r"denominacion(?:\s+social)?|(?:a\s+)?(?:la\s+)?atencion\s+de|empresa|titular|entidad|name|company|d\.ª|dna\.|d\.|don|dona|sr\.|sra\.|sres\.)(?:\s*:\s*|\s{2,}|(?<=\.)\s+|\s+(?=\S))"
)
_HONORIFIC = re.compile(r"(?:d\.ª|dna\.|d\.|don|dona|sr\.|sra\.|sres\.)\s+")
_PREPOSITION = re.compile(r"de\s+(?=[A-ZÁÉÍÓÚÜÑ])")
_STOP = re.compile(
    r"\s*[,;(|\[–—·-]*\s*(?:con\s+)?\b(?:n\.?\s?i\.?\s?f\b\.?|c\.?\s?i\.?\s?f\b\.?|n\.?i\.?e\b\.?|d\.?n\.?i\b\.?|vat\b|tax\s+id|nif-iva|ust-id\w*|tva\b|"
    r"tel(?:efono|f|\.)|e-?mail\b|www\.|fecha\b|factura\s+n)|"
    r"\s*[,;(|–—·-]\s*(?:c[./]\s|c/|calle\b|avda\b|avenida\b|plaza\b|pol\.|domicilio|direccion|tel\b|cp\b|con\s+domicilio|\d{5}\b)|(?<!\S)[^\s@]{1,64}@|\s*[,;(|–—·-]*\s*\b(?:es)?[a-z]?-?\d{7,8}"
)
_DESCRIPTION = re.compile(r"\s+[-–—·•|]\s+|,\s+(?=[a-záéíóúüñ])")
_ADDRESS = re.compile(
    r"(?:c/|c\.\s|calle|carrer|rua|kalea|avda|avenida|avinguda|av\.|plaza|pza|pl\.|placa|paseo|passeig|pol(?:igono|\.)|ctra|carretera|camino|cami|"
    r"ronda|travesia|urb|via|glorieta|apartado|tel(?:efono|f|\.)?|tlf|tfno|movil|fax|e-?mail|www\.|https?|web|iban|nif|cif|n\.i\.f|c\.i\.f|"
    r"nie|dni|vat|cp|c\.p\.?|codigo\s+postal)(?!\w)"
)
_TITLE = re.compile(
    r"(?:fecha|facturas?|fra|n\.?[º°]|n\.?o\.|nro|num|numero|domicilio|direccion|poblacion|localidad|provincia|pais|correo|cuenta|forma\s+de|vencimiento|"
    r"vto|pago|pagina|pagado|pagar|original|copia|duplicado|invoice|date|concepto|descripcion|detalle|articulo|cantidad|cant|base|iva|total|subtotal|"
    r"importe|datos|registro|inscrita|r\.\s?m|serie|pedido|albaran|referencia|ref|periodo|emitid[ao]|razon\s+social|nombre|clientes?|proveedor|emisora?|"
    r"receptora?|destinatario|observaciones|gracias|condiciones|simplificada|rectificativa|proforma|dia|contacto|atencion|att|a/a|cups|contrato|"
    r"asunto|subject|cco?|motivo|rectifica|resumen|abono|mercado\s+central)(?!\w)"
)
_NO_NAME = re.compile(r"\b\d{5}\b|@")


def has_legal_form(folded: str) -> bool:
    """Whether folded text ends a company's name, as S.L. or GmbH do."""
    return _LEGAL_FORM.search(folded) is not None


def name_in(page: Page, start: int, end: int) -> tuple[int, int] | None:
    """The span of the name that ``[start, end)`` begins with; None when something else stands there."""
    start, end = _trimmed(page, start, end)
    lead = _LEAD.match(page.folded, start, end)
    if lead and lead.end() < end and ":" in lead.group() + page.folded[lead.end() : lead.end() + 1]:
        start = lead.end()
    elif lead and lead.end() < end and not _HONORIFIC.match(page.folded, start, end) and "  " not in lead.group():
        start = lead.end() if lead.group().startswith(("razon", "nombre", "denominacion")) else start
    honorific = _HONORIFIC.match(page.folded, start, end)
    start = honorific.end() if honorific else start
    preposition = _PREPOSITION.match(page.text, start, end)
    start = preposition.end() if preposition else start
    if _is_something_else(page.folded, start, end):
        return None
    stop = _STOP.search(page.folded, start + 1, end)
    return _whole_name(page, start, stop.start() if stop else end)


def _is_something_else(folded: str, start: int, end: int) -> bool:
    """An address or a title; a title's word may begin a company's name, if its legal form ends it."""
    if _ADDRESS.match(folded, start, end):
        return True
    title = _TITLE.match(folded, start, end)
    return title is not None and (
        folded[title.end() :].lstrip()[:1] == ":" or not has_legal_form(folded[title.end() : end])
    )


def _whole_name(page: Page, start: int, end: int) -> tuple[int, int] | None:
    """The name without the trade that a dash, a dot or a comma sets off behind it; an address of e-mail is no name."""
    for break_ in _DESCRIPTION.finditer(page.text, start, end):
        if not has_legal_form(page.folded[break_.end() : end]):
            end = break_.start()
            break
    start, end = _trimmed(page, start, end)
    text = page.folded[start:end]
    letters = sum(mark.isalpha() for mark in text)
    plausible = letters >= 3 and letters * 2 > len(text) and len(text) <= 90 and not _NO_NAME.search(text)
    return (start, end) if plausible else None


def _trimmed(page: Page, start: int, end: int) -> tuple[int, int]:
    while start < end and page.folded[start] in " \t:;,-–—·•|":
        start += 1
    while end > start and page.folded[end - 1] in " \t:;,-–—·•|(":
        end -= 1
    return start, end
