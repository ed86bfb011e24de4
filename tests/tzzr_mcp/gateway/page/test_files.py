"""The page's files, without a browser: what is served, and that nothing comes from elsewhere."""

from __future__ import annotations

import re

import httpx
import pytest
from fastapi import FastAPI

from tzzr_mcp.gateway.page import mount_page
from tzzr_mcp.gateway.page.files import HEADERS, page_files

NAMES = sorted(page_files())


@pytest.fixture
def client() -> httpx.AsyncClient:
    app = FastAPI()
    mount_page(app)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://page.test")


async def test_the_page_and_each_of_its_files_come_with_the_policy(client: httpx.AsyncClient) -> None:
    for path in ("/", *(f"/page/{name}" for name in NAMES)):
        reply = await client.get(path)

        assert reply.status_code == 200, path
        assert {name: reply.headers[name] for name in HEADERS} == dict(HEADERS)
        assert reply.content == page_files()[path.removeprefix("/page/").strip("/") or "index.html"].content


def test_the_policy_lets_no_script_and_no_style_run_but_the_files() -> None:
    policy = dict(part.split(" ", 1) for part in HEADERS["content-security-policy"].split("; "))

    assert policy["default-src"] == "'none'"
    assert {policy["script-src"], policy["style-src"], policy["connect-src"]} == {"'self'"}
    assert policy["require-trusted-types-for"] == "'script'"


async def test_a_browser_that_has_the_newest_file_gets_no_copy(client: httpx.AsyncClient) -> None:
    first = await client.get("/page/app.js")
    again = await client.get("/page/app.js", headers={"if-none-match": first.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/page/nope.js", "/page/..%2Ffiles.py", "/page/static"])
async def test_what_is_no_file_of_the_page_is_not_found(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


@pytest.mark.parametrize("name", NAMES)
def test_no_file_names_another_place_or_writes_markup(name: str) -> None:
    text = page_files()[name].content.decode()
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", text))

    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b", text)
    assert not re.search(r"\son[a-z]+=|\sstyle=", text)


def test_the_page_has_a_language_a_title_and_a_label_for_every_field() -> None:
    text = page_files()["index.html"].content.decode()
    labelled = set(re.findall(r'<label for="([^"]+)"', text))
    wrapped = "".join(re.findall(r"<label.*?</label>", text))
    fields = re.findall(r"<(?:input|select|textarea)[^>]*>", text)

    assert '<html lang="es">' in text
    assert "<title>" in text
    for field in fields:
        (name,) = re.findall(r'id="([^"]+)"', field)
        assert "aria-label=" in field or name in labelled or field in wrapped, field
