"""The page that draws a tool's result: tables, charts, notice, source, links. One HTML document that needs nothing else.

Its parts are files of the folder ``page``: a style sheet and ES scripts that share one scope, put together here. It
fetches nothing, and its policy admits no script and no style but its own, by their hashes. Cells, titles and texts come
from documents that strangers wrote: they enter the document as text, and a link is followed by the host alone.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from importlib import resources
from typing import Final

from tzzr_mcp import __version__

_SCRIPTS: Final = (
    "elements.js",
    "numbers.js",
    "csv.js",
    "table.js",
    "scales.js",
    "axes.js",
    "lines.js",
    "bars.js",
    "pie.js",
    "chart.js",
    "result.js",
    "bridge.js",
)
"""Each uses what those before it define, and the last one begins."""


@functools.cache
def page() -> str:
    """The document; the same text in every process of one version."""
    style = _part("style.css")
    script = "".join(_part(name) for name in _SCRIPTS).replace("@VERSION@", __version__)
    parts = {"@POLICY@": _policy(style, script), "@STYLE@": style, "@SCRIPT@": script}
    document = _part("page.html")
    for mark, text in parts.items():
        document = document.replace(mark, text)
    return document


def _policy(style: str, script: str) -> str:
    """The Content-Security-Policy: nothing but this style and this script."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _part(name: str) -> str:
    return (resources.files(__name__) / "page" / name).read_text("utf-8")
