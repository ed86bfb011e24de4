"""The page in the host side of MCP Apps that its authors publish (``@modelcontextprotocol/ext-apps``), unmodified.

It needs the folder in which that and ``esbuild`` were installed: ``TZZR_NODE_MODULES=…/node_modules``.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_mcp.screen.hosting import BROWSER, CAPABILITIES, an_output, chromium, result_of
from tzzr_mcp.output import Column, Link, Table
from tzzr_mcp.screen import page as screen_page

MODULES = Path(os.environ.get("TZZR_NODE_MODULES", "node_modules")).absolute()
ESBUILD = MODULES / ".bin" / "esbuild"
ENTRY = Path(__file__).with_name("official_host.mjs")

pytestmark = [
    *BROWSER,
    pytest.mark.node,
    pytest.mark.skipif(
        not ((MODULES / "@modelcontextprotocol" / "ext-apps").is_dir() and ESBUILD.exists()),
        reason=f"ext-apps and esbuild are not installed in {MODULES}",
    ),
]
__all__ = ["chromium"]  # a fixture


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The host as one script."""
    bundle = tmp_path_factory.mktemp("host") / "host.js"
    command = [str(ESBUILD), str(ENTRY), "--bundle", "--format=iife", f"--outfile={bundle}", "--log-level=error"]
    subprocess.run(command, check=True, env={**os.environ, "NODE_PATH": str(MODULES)})
    return bundle


async def test_the_official_host_greets_the_page_and_hands_it_a_result(chromium: Any, script: Path) -> None:
    table = Table("t", "Tabla", [Column("a", "A", "integer")], [[1], [2]])
    links = [Link("Portal", "https://datos.example/"), Link("Fichero", "tzzr://x/datos.csv")]
    page = await chromium.new_page()
    await page.set_content("<!doctype html><body></body>")
    await page.add_script_tag(path=script)
    await page.evaluate("given => embed(...given)", [screen_page(), CAPABILITIES, {"theme": "dark"}])
    await page.wait_for_function("heard.some(([name]) => name === 'initialized')")
    await page.evaluate("bridge.sendToolInput({ arguments: {} })")
    await page.evaluate("result => bridge.sendToolResult(result)", result_of(an_output(tables=[table], links=links)))
    frame = page.frames[1]
    await frame.get_by_role("button", name="Portal").click()
    await frame.get_by_role("button", name="Fichero").click()
    await frame.get_by_role("button", name="Descargar CSV").click()
    assert await frame.locator("pre").inner_text() == "a,b"
    assert await frame.locator("td").all_inner_texts() == ["1", "2"]
    assert await frame.evaluate("document.documentElement.dataset.theme") == "dark"
    assert await page.evaluate("bridge.teardownResource({})") == {}
    assert await page.evaluate("bridge.getAppCapabilities()") == {"availableDisplayModes": ["inline", "fullscreen"]}
    heard = await page.evaluate("heard")
    assert heard[0] == ["initialized", {}]
    assert ["open", {"url": "https://datos.example/"}] in heard
    ((saved,),) = [told["contents"] for name, told in heard if name == "save"]
    assert (saved["resource"]["uri"], saved["resource"]["mimeType"]) == ("file:///tabla.csv", "text/csv;charset=utf-8")
    assert saved["resource"]["text"].startswith("\ufeff# Tabla: Tabla\r\n# Fuente: Pruebas\r\n")
    assert saved["resource"]["text"].endswith("\r\nA\r\n1\r\n2\r\n")
    assert {name for name, _ in heard} == {"initialized", "size", "open", "save"}
