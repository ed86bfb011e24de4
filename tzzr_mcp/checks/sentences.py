"""Spanish sentences for what a JSON Schema refuses: the argument, the value given, what is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tzzr_mcp.checks.words import shown
from tzzr_mcp.seams.spelling import nearest

RANKS: Sequence[str] = ("additionalProperties", "unevaluatedProperties", "type", "enum", "const", "required", "oneOf")
"""Which kind of mistake explains the others: told first. Whatever is not listed comes last."""

_TYPES = {
    "string": "un texto",
    "integer": "un número entero",
    "number": "un número",
    "boolean": "verdadero o falso",
    "array": "una lista",
    "object": "un objeto",
    "null": "un valor nulo",
}


@dataclass(frozen=True)
class Offence:
    """One refusal: at ``path`` within the arguments, ``value`` breaks ``keyword``, whose value is ``rule``."""

    path: tuple[str | int, ...]
    keyword: str
    rule: Any
    value: Any
    schema: Mapping[str, Any]


def offender(offence: Offence) -> str:
    """The name of the argument that ``offence`` is about; several, joined, when it is about their combination."""
    if offence.path:
        return str(offence.path[0])
    return ", ".join(_names_at_root(offence))


def sentence(offence: Offence) -> str:
    """One plain sentence, or two."""
    write = _WRITERS.get(offence.keyword)
    if write is not None:
        return write(offence)
    rule = _RULES.get(offence.keyword, _whatever)
    told = f"{_subject(offence)} vale {shown(offence.value)}, pero {rule(offence)}"
    return told if told.endswith("?") else f"{told}."


def quoted(names: Iterable[str], last: str = "y") -> str:
    """``«a», «b» y «c»``."""
    marked = [f"«{name}»" for name in names]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} {last} {marked[-1]}"


def perhaps(name: object, known: Iterable[Any]) -> str:
    """``; ¿quiso decir «x»?`` when something known is near, otherwise nothing."""
    near = nearest(str(name), map(str, known))
    return f"; ¿quiso decir «{near}»?" if near else ""


def _names_at_root(offence: Offence) -> list[str]:
    if offence.keyword == "required":
        return [_missing(offence)]
    if offence.keyword in {"additionalProperties", "unevaluatedProperties"}:
        return _unknown(offence)[:1]
    alternatives = [name for names in _alternatives(offence) for name in names]
    given = offence.value if isinstance(offence.value, Mapping) else ()
    return alternatives or _declared(offence) or [str(name) for name in given] or ["argumentos"]


def _missing(offence: Offence) -> str:
    return next(str(name) for name in offence.rule if name not in offence.value)


def _declared(offence: Offence) -> list[str]:
    return list(offence.schema.get("properties", ()))


def _unknown(offence: Offence) -> list[str]:
    known = set(_declared(offence))
    return sorted(str(name) for name in offence.value if name not in known)


def _alternatives(offence: Offence) -> list[list[str]]:
    """The names of each branch of a oneOf or anyOf whose branches only say what is required; else nothing."""
    branches = offence.rule if offence.keyword in {"oneOf", "anyOf"} else ()
    if all(isinstance(branch, Mapping) and "required" in branch for branch in branches):
        return [list(branch["required"]) for branch in branches]
    return []


def _place(offence: Offence) -> str:
    head, *rest = offence.path
    return f"{head}" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)


def _subject(offence: Offence) -> str:
    if offence.path:
        return f"El argumento «{_place(offence)}»"
    return f"El conjunto de argumentos ({quoted(_names_at_root(offence))})"


def _write_required(offence: Offence) -> str:
    name = _missing(offence)
    within = f" dentro de «{_place(offence)}»" if offence.path else ""
    described = offence.schema.get("properties", {}).get(name, {})
    told = str(described.get("description", "")).strip().rstrip(".") if isinstance(described, Mapping) else ""
    return f"Falta el argumento «{name}»{within}, que es obligatorio{f': {told}' if told else ''}."


def _write_unknown(offence: Offence) -> str:
    name, known = _unknown(offence)[0], _declared(offence)
    within = f" dentro de «{_place(offence)}»" if offence.path else ""
    accepted = f" Se admiten: {quoted(known)}." if known else " No se admite ninguno."
    guess = perhaps(name, known)
    return f"El argumento «{shown(name, 80)[1:-1]}»{within} no existe{guess or '.'}{accepted}"


def _write_one_of(offence: Offence) -> str:
    branches = _alternatives(offence)
    if not branches:
        return f"{_subject(offence)} vale {shown(offence.value)}, pero no tiene ninguna de las formas admitidas."
    names = [name for branch in branches for name in branch]
    given = [name for name in names if name in offence.value]
    told = f"se indicaron {quoted(given)}" if len(given) > 1 else "no se indicó ninguno"
    count = "exactamente uno" if offence.keyword == "oneOf" else "al menos uno"
    return f"Indique {count} de los argumentos {quoted(dict.fromkeys(names), 'o')}: {told}."


_WRITERS: Mapping[str, Callable[[Offence], str]] = {
    "required": _write_required,
    "additionalProperties": _write_unknown,
    "unevaluatedProperties": _write_unknown,
    "oneOf": _write_one_of,
    "anyOf": _write_one_of,
}


def _type(offence: Offence) -> str:
    value = offence.rule
    names = [value] if isinstance(value, str) else value
    return f"se espera {' o '.join(_TYPES.get(name, name) for name in names)}"


def _enum(offence: Offence) -> str:
    values = list(offence.rule)
    accepted = ", ".join(shown(value) for value in values[:30]) + ("…" if len(values) > 30 else "")
    return f"se espera uno de estos valores: {accepted}{perhaps(offence.value, values)}"


def _const(offence: Offence) -> str:
    return f"solo se admite {shown(offence.rule)}"


def _range(offence: Offence) -> str:
    schema = offence.schema
    if "minimum" in schema and "maximum" in schema:
        return f"se espera un valor entre {schema['minimum']} y {schema['maximum']}"
    words = {
        "minimum": "como mínimo",
        "maximum": "como máximo",
        "exclusiveMinimum": "(sin incluirlo) como mínimo",
        "exclusiveMaximum": "(sin incluirlo) como máximo",
    }
    return f"se espera {offence.rule} {words[offence.keyword]}"


def _length(offence: Offence) -> str:
    limit = offence.rule
    if offence.keyword == "minLength":
        return "no puede quedar vacío" if limit == 1 else f"se esperan {limit} caracteres como mínimo"
    return f"tiene {len(offence.value)} caracteres y se admiten {limit} como máximo"


def _count(offence: Offence) -> str:
    word = "mínimo" if offence.keyword.startswith("min") else "máximo"
    has = len(offence.value)
    items, waits = "elemento" if has == 1 else "elementos", "espera" if offence.rule == 1 else "esperan"
    return f"tiene {has} {items} y se {waits} {offence.rule} como {word}"


def _unique(offence: Offence) -> str:
    return "sus elementos no pueden repetirse"


def _multiple(offence: Offence) -> str:
    return f"se espera un múltiplo de {offence.rule}"


def _pattern(offence: Offence) -> str:
    described = str(offence.schema.get("description", "")).strip().rstrip(".")
    return f"no tiene la forma admitida ({described or offence.rule})"


def _whatever(offence: Offence) -> str:
    return "no es un valor admitido"


_RULES: Mapping[str, Callable[[Offence], str]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _range),
    **dict.fromkeys(("minLength", "maxLength"), _length),
    **dict.fromkeys(("minItems", "maxItems", "minProperties", "maxProperties"), _count),
    "uniqueItems": _unique,
    "multipleOf": _multiple,
    "pattern": _pattern,
}
