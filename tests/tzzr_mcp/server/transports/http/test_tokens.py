"""Bearer tokens: who holds which, and rotation while the server runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tzzr_mcp.server.tiny import ERAS, Era
from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, WIRES, Wire, opened, request, served
from tzzr_mcp.server.transports.http import HttpOptions
from tzzr_mcp.server.transports.http.tokens import Tokens
from tzzr_mcp.settings import StartError

MESSAGE = request(1, "initialize", **HELLO)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def written(path: Path, text: str) -> None:
    """Write, and be sure that the change is seen, however coarse the file system's clock is."""
    path.write_text(text, encoding="utf-8")
    told = path.stat()
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns + 1_000_000))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tokens"
    path.write_text("# who  token\n\nana  alfa\nbea  beta\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("wire", WIRES)
async def test_a_client_with_a_token_is_let_in(wire: Wire, era: Era) -> None:
    options = HttpOptions(tokens=Tokens("alfa"))
    async with served(options=options) as reach, reach.client(wire, era, bearer("alfa")) as client:
        assert len((await client.list_tools()).tools) == 2


@pytest.mark.parametrize(
    "authorization",
    [None, b"Bearer wrong", b"Bearer", b"Bearer alf", b"Basic alfa", b"alfa", b"Bearer \xf1", b"Bearer \xc3\xb1"],
)
@pytest.mark.parametrize("path", ["/mcp", "/sse", "/messages", "/mcp/"])
async def test_who_has_no_right_token_is_refused_before_anything_is_read(
    path: str, authorization: bytes | None
) -> None:
    async with served(options=HttpOptions(tokens=Tokens("alfa"))) as reach, reach.http(JSON) as http:
        headers = [(b"authorization", authorization)] if authorization else []
        response = await http.request("GET" if path == "/sse" else "POST", path, content=b"nonsense", headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith("Bearer")
        assert (await http.get("/healthz")).status_code == 200


async def test_another_holder_s_session_does_not_exist(file: Path) -> None:
    options = HttpOptions(tokens=Tokens(None, str(file)))
    async with served(options=options) as reach, reach.http({**JSON, **bearer("beta")}) as other:
        async with opened(reach, bearer("alfa")) as session:
            assert (await other.post(session.endpoint, json=MESSAGE)).status_code == 404
            assert (await session.ask(MESSAGE))["id"] == 1
        async with reach.http({**JSON, **bearer("alfa")}) as own:
            begun = await own.post("/mcp", json=MESSAGE)
            mine = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
            assert (await other.post("/mcp", json=request(2, "ping"), headers=mine)).status_code == 404
            assert (await own.post("/mcp", json=request(2, "ping"), headers=mine)).status_code == 200


async def test_a_token_is_replaced_while_its_holder_s_session_goes_on(file: Path) -> None:
    options = HttpOptions(tokens=Tokens(None, str(file)))
    async with served(options=options) as reach, opened(reach, bearer("alfa")) as session:
        written(file, "ana alfa\nana gamma\n")
        session.http.headers.update(bearer("gamma"))
        assert (await session.ask(MESSAGE))["id"] == 1
        written(file, "ana gamma\n")
        session.http.headers.update(bearer("alfa"))
        assert (await session.post(request(2, "ping"))).status_code == 401


def test_each_token_has_the_name_of_its_holder(file: Path) -> None:
    tokens = Tokens("own", str(file))
    assert [tokens.holder(token) for token in ("own", "alfa", "beta", "ana", "")] == [
        "default",
        "ana",
        "bea",
        None,
        None,
    ]


def test_a_file_that_becomes_wrong_leaves_the_former_tokens_in_force(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = Tokens(None, str(file))
    written(file, "ana alfa too much\n")
    assert tokens.holder("alfa") == "ana"
    (record,) = caplog.records
    assert record.getMessage() == (
        f"the tokens file {file} is wrong, the former tokens stay in force: "
        "line 1 has 4 words instead of a name and a token"
    )
    file.unlink()
    assert tokens.holder("alfa") == "ana"
    written(file, "")
    assert tokens.holder("alfa") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bea beta\nana\n", "line 2 has 1 words instead of a name and a token"),
        ("# nobody\n", "no token in it, so nobody could come in"),
        (None, "[Errno 2] No such file or directory: {path!r}"),
    ],
)
def test_a_wrong_file_is_refused_at_the_start(tmp_path: Path, text: str | None, told: str) -> None:
    path = tmp_path / "tokens"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(StartError) as caught:
        Tokens(None, str(path))
    assert str(caught.value) == (
        f"TZZR_HTTP_TOKENS_FILE is {str(path)!r}: {told.format(path=str(path))}\n"
        "  Write one 'name token' a line, for example: laptop 4f7c…"
    )


def test_a_file_of_another_encoding_is_refused_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_bytes("josé alfa\n".encode("latin-1"))
    with pytest.raises(StartError, match="can't decode byte"):
        Tokens(None, str(path))


async def test_who_holds_a_token_is_a_client_of_that_name_without_scopes(file: Path) -> None:
    access = await Tokens(None, str(file)).verify_token("alfa")
    assert access is not None
    assert (access.token, access.client_id, access.scopes) == ("alfa", "ana", [])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cora gamma\nana alfa\nana delta\n", "the tokens file has changed: tokens of ana, cora"),
        ("", "the tokens file has changed: tokens of nobody"),
    ],
)
def test_a_changed_file_is_told_by_its_names(
    file: Path, caplog: pytest.LogCaptureFixture, text: str, told: str
) -> None:
    caplog.set_level("INFO")
    tokens = Tokens(None, str(file))
    written(file, text)
    tokens.holder("alfa")
    tokens.holder("alfa")
    assert [record.getMessage() for record in caplog.records] == [told]


def test_a_file_that_stays_as_it_is_is_not_told_to_have_changed(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    tokens = Tokens(None, str(file))
    assert [tokens.holder("alfa") for _ in range(2)] == ["ana", "ana"]
    assert caplog.records == []


def test_names_and_tokens_may_have_any_letters(file: Path) -> None:
    written(file, "josé contraseña\n")
    tokens = Tokens("clave\udcff", str(file))
    assert [tokens.holder(token) for token in ("contraseña", "clave\udcff")] == ["josé", "default"]
