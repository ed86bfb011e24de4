"""The page as a document: it needs nothing else, and admits nothing but itself."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from tzzr_mcp import __version__
from tzzr_mcp.screen import page


def part(name: str) -> str:
    """What stands between an element's tags."""
    found = re.search(rf"<{name}[^>]*>(.*?)</{name}>", page(), re.DOTALL)
    assert found is not None
    return found[1]


def policy() -> dict[str, str]:
    """The page's Content-Security-Policy by directive."""
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page())
    assert found is not None
    return dict(directive.strip().split(" ", 1) for directive in found[1].split(";"))


@pytest.mark.parametrize("name", ["script", "style"])
def test_the_policy_admits_just_the_page_s_own_script_and_style(name: str) -> None:
    digest = base64.b64encode(hashlib.sha256(part(name).encode()).digest()).decode()
    assert policy()[f"{name}-src"] == f"'sha256-{digest}'"
    assert len(re.findall(rf"<{name}\b", page())) == 1


def test_the_policy_allows_nothing_else() -> None:
    rest = {name: sources for name, sources in policy().items() if name not in ("script-src", "style-src")}
    assert rest == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


def test_the_page_refers_to_nothing_outside() -> None:
    addresses = re.findall(r"https?://[\w.]+\S*|url\(|@import|\b(?:src|href)=", page())
    assert addresses == ['http://www.w3.org/2000/svg",']


def test_no_part_of_the_page_turns_text_into_markup_or_code() -> None:
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|\bFunction\(|srcdoc|javascript:"
    assert re.findall(ways, page()) == []


def test_the_page_is_whole_spanish_and_of_this_version() -> None:
    assert page().startswith('<!doctype html>\n<html lang="es">')
    assert re.findall(r"@[A-Z]+@", page()) == []
    assert f'version: "{__version__}"' in part("script")
