"""Which way a text is written in YAML: plain, quoted, or as a block, by the rules that the recordings' writer has.

Lengths count UTF-16 units, as JavaScript does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

WIDTH = 80
LEAST_WIDTH = 40

_RESERVED_FIRST = "-?:,[]{}#&*!|=>'\"%@`"
_WORDS = re.compile(
    r"~|null|Null|NULL|true|True|TRUE|false|False|FALSE|<<"
    r"|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF"
)
_NUMBERS = re.compile(
    r"[-+]?(?:0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0o[0-7_]*[0-7]|[0-9][0-9_]*(?<!_))"
    r"|[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?(?<!_)"
    r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?(?<!_)"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
    r"|[-+]?[0-9_]+(?::[0-9_]+)+(?:\.[0-9_]*)?"
)
_DATES = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?"
)


_UNPRINTABLE = re.compile("[^\\n -~\u00a1-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029\ufeff]")
"""Letters that make a text double-quoted; the tab is one of them."""


def scalar(text: str, level: int, *, key: bool = False) -> str:
    """A text as YAML at a depth of nesting; a key stays on one line."""
    if not text:
        return "''"
    indent = 2 * max(1, level)
    if not _printable(text):
        return _double_quoted(text)
    broken, long = "\n" in text, has_long_line(text, max(LEAST_WIDTH, WIDTH - indent))
    if key or not (broken or long):
        if "\n" in text:
            return _double_quoted(text)
        return text if is_plain(text) and not is_ambiguous(text) else "'" + text.replace("'", "''") + "'"
    body = fold(text, max(LEAST_WIDTH, WIDTH - indent)) if long else text
    return (">" if long else "|") + _header(text) + "\n" + _indented(body, indent).removesuffix("\n")


def is_ambiguous(text: str) -> bool:
    """Whether a reader would take the text for something else: a number, a date, yes or no."""
    return any(pattern.fullmatch(text) for pattern in (_WORDS, _NUMBERS, _DATES))


def is_plain(text: str) -> bool:
    """Whether a text may stand without quotes."""
    if text[0] in _RESERVED_FIRST or text[0] in " \t\ufeff" or text[-1] in " \t:":
        return False
    return not re.search(r":(?=[ \t])|(?<=[ \t])#|\ufeff", text)


def _printable(text: str) -> bool:
    return _UNPRINTABLE.search(text) is None


def _double_quoted(text: str) -> str:
    return "".join(['"', *map(_escaped, text), '"'])


_SHORT = {
    "\0": "\\0",
    "\a": "\\a",
    "\v": "\\v",
    "\x1b": "\\e",
    "\x85": "\\N",
    "\xa0": "\\_",
    "\u2028": "\\L",
    "\u2029": "\\P",
}


def _escaped(letter: str) -> str:
    if letter in _SHORT:
        return _SHORT[letter]
    if letter in '"\\\b\t\n\f\r':
        return json.dumps(letter)[1:-1]
    if _printable(letter):
        return letter
    code = ord(letter)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}"


def _header(text: str) -> str:
    hint = "2" if re.match(r"\n* ", text) else ""
    if not text.endswith("\n"):
        return hint + "-"
    return hint + ("+" if text == "\n" or text.endswith("\n\n") else "")


def _indented(text: str, indent: int) -> str:
    pad = " " * indent
    return "\n".join(pad + line if line else line for line in text.split("\n"))


def units(text: str) -> int:
    """How many UTF-16 units a text has."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def has_long_line(text: str, width: int) -> bool:
    """Whether a line is too long and may be broken."""
    return any(units(line) > width and not line.startswith(" ") for line in text.split("\n"))


def fold(text: str, width: int) -> str:
    """Break long lines at blanks; a line break of the text's own becomes two, but beside lines that begin with a blank."""
    lines = text.split("\n")
    found = [_folded(lines[0], width)]
    before = lines[0].startswith(" ") or not lines[0]
    for line in lines[1:]:
        indented = line.startswith(" ")
        doubled = bool(line) and not before and not indented
        found.append(("\n\n" if doubled else "\n") + _folded(line, width))
        before = indented if line else before
    return "".join(found)


def _folded(line: str, width: int) -> str:
    return line if line.startswith(" ") else "\n".join(_pieces(line, width))


def _pieces(line: str, width: int) -> Iterator[str]:
    """As many words on each line as fit; one word too long stands alone."""
    words = re.split(r" (?=[^ ])", line)
    current = words[0]
    for word in words[1:]:
        if units(f"{current} {word}") > width:
            yield current
            current = word
        else:
            current = f"{current} {word}"
    yield current
