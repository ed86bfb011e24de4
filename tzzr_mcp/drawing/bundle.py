"""ES modules as one script, for a document that may load nothing: an MCP host shows it in a sandbox.

Of the language's module syntax our files use two forms, ``import { a, b } from "./name.js";`` and ``export`` before a
declaration. Each module becomes a function that is called once and returns what it exports, in the order of need.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

_IMPORT: Final = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w]+)\.js";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def bundled(sources: Mapping[str, str], entry: str) -> str:
    """One script that runs `entry`, with the modules that it needs from `sources` (text by file name) and no other.

    Raises ``ValueError`` for an import of a file that is not there, for modules that import each other in a circle,
    and for module syntax of another form.
    """
    return "".join(_called(name, sources[name]) for name in _needed(sources, entry, ()))


def _needed(sources: Mapping[str, str], name: str, above: tuple[str, ...]) -> Iterator[str]:
    """A module's imports, theirs before them, and then itself; each once."""
    if name in above:
        message = f"modules import each other in a circle: {' -> '.join((*above, name))}"
        raise ValueError(message)
    if name not in sources:
        message = (
            f"{above[-1] if above else 'the page'} imports {name}, which is not there; there are {sorted(sources)}"
        )
        raise ValueError(message)
    seen: set[str] = set()
    for _, module in _IMPORT.findall(sources[name]):
        for needed in _needed(sources, f"{module}.js", (*above, name)):
            if needed not in seen:
                seen.add(needed)
                yield needed
    yield name


def _called(name: str, source: str) -> str:
    exported = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _IMPORT.sub(r"const { \1 } = $\2;", source))
    if left := _LEFT.search(body):
        message = f'{name}: "{left[0]}" is module syntax of another form; write import {{ a }} from "./name.js"'
        raise ValueError(message)
    return f"const ${name.removesuffix('.js')} = (() => {{\n{body.strip()}\nreturn {{ {exported} }};\n}})();\n"
