"""Log lines: text or JSON, and never a secret."""

from __future__ import annotations

import io
import json
import logging
import re
import threading
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tzzr_mcp.server.logs import AHEAD, configure_logs, to_stderr


@pytest.fixture(autouse=True)
def restored_logging() -> Iterator[None]:
    handlers, level = logging.root.handlers[:], logging.root.level
    logging.root.handlers[:] = []
    yield
    for handler in logging.root.handlers:
        handler.close()
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def logged(style: str, message: str, *secrets: str, error: Exception | None = None) -> str:
    stream = io.StringIO()
    configure_logs("INFO", style, secrets, stream.write)
    logging.getLogger("any").info("%s", message, exc_info=error)
    logging.root.handlers[0].flush()
    return stream.getvalue()


def test_a_text_line_says_when_how_bad_who_and_what() -> None:
    assert re.fullmatch(r"\d\d:\d\d:\d\d INFO any: hola\n", logged("text", "hola"))


def test_a_json_line_is_one_object() -> None:
    line = json.loads(logged("json", 'di "ñ"\n'))
    assert (line["level"], line["logger"], line["message"]) == ("INFO", "any", 'di "ñ"\n')
    assert "exception" not in line


def test_a_json_line_tells_its_time_in_milliseconds_and_letters_as_they_are() -> None:
    stream = io.StringIO()
    configure_logs("INFO", "json", [], stream.write)
    record = {"name": "any", "levelname": "INFO", "levelno": 20, "msg": "ñ", "created": 1_767_520_800.123_456}
    logging.getLogger("any").handle(logging.makeLogRecord(record))
    logging.root.handlers[0].flush()
    assert stream.getvalue() == '{"time": 1767520800.123, "level": "INFO", "logger": "any", "message": "ñ"}\n'


def test_a_json_line_holds_an_exception_in_a_field_of_its_own() -> None:
    line = json.loads(logged("json", "failed", error=RuntimeError("broken")))
    assert line["message"] == "failed"
    assert line["exception"] == "RuntimeError: broken"


@pytest.mark.parametrize("style", ["text", "json"])
def test_an_exception_is_told_without_secrets(style: str) -> None:
    line = logged(style, "failed", "swordfish", error=RuntimeError("key swordfish"))
    assert "RuntimeError: key [secret]" in line
    assert "swordfish" not in line


@pytest.mark.parametrize("style", ["text", "json"])
@pytest.mark.parametrize(
    "text", ["Authorization: Bearer abc.def-1", "GET /items?access_token=abc.def-1&x=1", "'bearer abc.def-1'"]
)
def test_what_looks_like_a_credential_is_hidden_although_nobody_declared_it(style: str, text: str) -> None:
    line = logged(style, text)
    assert "abc.def-1" not in line
    assert "[secret]" in line


@given(st.text(min_size=4).filter(lambda text: not set(text) & set('[secret] INFO any:\n"\\')), st.text(), st.text())
def test_no_line_holds_a_secret_whatever_is_around_it(secret: str, before: str, after: str) -> None:
    for message in (before + secret + after, before + quote(secret, safe="") + after):
        line = json.loads(logged("json", message, secret, ""))["message"]
        assert secret not in line
        assert quote(secret, safe="") not in line


@pytest.mark.parametrize(
    ("secrets", "message", "told"),
    [
        (["a/b?c"], "GET /?key=a%2Fb%3Fc", "GET /?key=[secret]"),
        (["it's\nme"], f"failed with {'it' + chr(39) + 's' + chr(10) + 'me'!r}", 'failed with "[secret]"'),
        (["sword", "fish"], "swordfish", "[secret][secret]"),
        (["bc", "abcd"], "xabcdx bc", "x[secret]x [secret]"),
        (["", "abc"], "hola", "hola"),
    ],
    ids=["in a URL", "in a repr", "side by side", "one within another", "an empty one"],
)
def test_a_secret_is_hidden_whole_in_each_form_that_it_is_written_in(
    secrets: list[str], message: str, told: str
) -> None:
    assert json.loads(logged("json", message, *secrets))["message"] == told


def test_libraries_chatter_is_dropped_and_levels_are_kept() -> None:
    stream = io.StringIO()
    configure_logs("ERROR", "text", [], stream.write)
    logging.getLogger("httpx").warning("chatter")
    logging.getLogger("any").warning("chatter")
    logging.getLogger("any").error("grave")
    logging.root.handlers[0].flush()
    assert stream.getvalue().endswith("any: grave\n")
    assert "chatter" not in stream.getvalue()


def test_a_reader_that_stands_still_makes_nobody_wait() -> None:
    going, written = threading.Event(), list[str]()

    def stuck(line: str) -> None:
        going.wait()
        written.append(line)

    configure_logs("INFO", "text", [], stuck)
    for number in range(3 * AHEAD):
        logging.getLogger("any").info("%d", number)
    going.set()
    logging.root.handlers[0].flush()
    assert AHEAD <= len(written) <= AHEAD + 1
    assert written[0].endswith(" 0\n")


def test_who_waits_for_what_was_logged_waits_no_longer_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tzzr_mcp.server.logs.FLUSH_S", threading.TIMEOUT_MAX)
    assert "hola" in logged("text", "hola")


def test_the_thread_that_writes_holds_no_process_s_end_and_ends_with_its_handler() -> None:
    before = set(threading.enumerate())
    logged("text", "hola")
    (writing,) = set(threading.enumerate()) - before
    assert writing.daemon
    configure_logs("INFO", "text", [], io.StringIO().write)
    writing.join()
    assert not writing.is_alive()


def test_a_closed_stderr_is_tried_once_and_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    tried: list[str] = []

    def closed(line: str) -> None:
        tried.append(line)
        raise OSError("closed")

    configure_logs("INFO", "text", [], closed)
    for line in ("told to nobody", "nor this"):
        logging.getLogger("any").info(line)
        logging.root.handlers[0].flush()
    assert [line.endswith("any: told to nobody\n") for line in tried] == [True]
    assert capsys.readouterr().err == ""


def test_lines_go_to_the_descriptor_of_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    to_stderr("ñ \ud800\n")
    assert capfd.readouterr().err == "ñ \\ud800\n"
