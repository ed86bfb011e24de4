"""The command line of the host."""

from __future__ import annotations

import argparse
import asyncio
import io
from collections.abc import Mapping

import pytest

from tzzr_mcp.host import script
from tzzr_mcp.host.host import Host


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    script.arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("words", "environ", "url"),
    [
        (["http://a:1/sse"], {"SERVER_URL": "http://b:2/sse"}, "http://a:1/sse"),
        ([], {"SERVER_URL": "http://b:2/sse"}, "http://b:2/sse"),
        ([], {"SERVER_URL": ""}, "http://localhost:3001/sse"),
        ([], {}, "http://localhost:3001/sse"),
    ],
)
def test_the_argument_comes_before_the_variable_before_the_default(
    monkeypatch: pytest.MonkeyPatch, words: list[str], environ: Mapping[str, str], url: str
) -> None:
    seen: list[Host] = []

    async def run(self: Host, *, interactive: bool = False) -> bool:
        seen.append(self)
        return not interactive

    monkeypatch.setattr(Host, "run", run)

    assert script.main(parsed(*words), environ) == script.OK
    assert script.main(parsed(*words, "--interactive"), environ) == script.TOOL_FAILED
    assert [host.where.url for host in seen] == [url, url]


def test_no_server_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(parsed("localhost:3001"), {}) == script.NO_SERVER
    assert (
        capsys.readouterr().err
        == "host: 'localhost:3001' is no http or https URL; did you mean http://localhost:3001?\n"
    )


def test_ctrl_c_ends_the_host_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(self: Host, *, interactive: bool = False) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(Host, "run", run)

    assert script.main(parsed(), {}) == script.INTERRUPTED


def test_lines_come_from_the_keyboard_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("one\n"))

    async def both() -> str:
        first = await script.ask("> ")
        with pytest.raises(EOFError):
            await script.ask("> ")
        return first

    assert asyncio.run(both()) == "one"
