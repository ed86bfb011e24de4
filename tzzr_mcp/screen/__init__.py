"""The page that an MCP host draws a tool's result with: one HTML document that needs nothing else.

Its parts are files of the folder ``static``, and ``tzzr_mcp.drawing`` draws the tables and charts. It fetches nothing,
and its policy admits no script and no style but its own, by their hashes. Cells, titles and texts come from documents
that strangers wrote: they enter the document as text, and a link is followed by the host alone.
"""

from __future__ import annotations

import base64
import functools
import hashlib

from tzzr_mcp import __version__
from tzzr_mcp.drawing import bundled, texts_of


@functools.cache
def page() -> str:
    """The document; the same text in every process of one version."""
    files = texts_of("tzzr_mcp.drawing", "tzzr_mcp.screen")
    style = files["drawing.css"] + files["style.css"]
    script = bundled(files, "page.js").replace("@VERSION@", __version__)
    parts = {"@POLICY@": _policy(style, script), "@STYLE@": style, "@SCRIPT@": script}
    document = files["page.html"]
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
