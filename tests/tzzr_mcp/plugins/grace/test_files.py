"""``archivo``: only regular files below open folders, whatever way the path takes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tzzr_mcp.plugins.answering import AnsweringGrace, calling
from tzzr_mcp.contract.catalogue import LIMIT_BYTES
from tzzr_mcp.contract.errors import ArgumentInvalid, Code
from tzzr_mcp.plugins.grace import plugin
from tzzr_mcp.plugins.grace.files import Files
from tzzr_mcp.plugins.grace.vision import ocr
from tzzr_mcp.settings import StartError, load_settings

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An open folder with one image, beside a secret."""
    opened = tmp_path / "open"
    (opened / "sub").mkdir(parents=True)
    (opened / "sub" / "foto.png").write_bytes(PNG)
    (tmp_path / "secret.png").write_bytes(PNG)
    return opened


async def refused(files: Files, name: str, *, remote: bool = False) -> tuple[Code, str]:
    with pytest.raises(ArgumentInvalid) as caught:
        await files.read(name, remote=remote)
    assert caught.value.argument == "archivo"
    return caught.value.failure.code, caught.value.failure.message


async def test_a_file_is_read_by_its_whole_or_its_relative_path(folder: Path) -> None:
    files = Files.of(str(folder))
    assert (await files.read(str(folder / "sub" / "foto.png"))).content == PNG
    assert (await files.read("sub/foto.png")).content == PNG


async def test_a_relative_path_is_looked_up_in_each_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    files = Files.of(os.pathsep.join([str(tmp_path / "other"), str(folder)]))
    assert (await files.read("sub/foto.png")).content == PNG


async def test_a_link_that_leads_out_is_refused_and_not_missing_when_another_folder_lacks_it(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (folder / "out.png").symlink_to(tmp_path / "secret.png")
    files = Files.of(os.pathsep.join([str(tmp_path / "other"), str(folder)]))
    assert (await refused(files, "out.png"))[0] is Code.FILE_NOT_ALLOWED


async def test_the_tool_reads_the_file_and_sends_its_bytes(folder: Path) -> None:
    page = {"page": 1, "text": "x", "width_px": 1, "height_px": 1, "confidence": 1.0}
    grace = AnsweringGrace({"text": "x", "confidence": 1.0, "language": "es", "pages": [page]})
    await ocr(calling(grace, {"archivo": "sub/foto.png"}, files=Files.of(str(folder))))
    assert grace.asked[0].payload.octets() == PNG
    assert grace.asked[0].payload.media_type == "image/png"


async def test_no_file_is_looked_for_when_the_content_came_twice(folder: Path) -> None:
    arguments = {"archivo": "no-existe.png", "imagen_base64": "aG9sYQ=="}
    with pytest.raises(ArgumentInvalid) as caught:
        await ocr(calling(AnsweringGrace({}), arguments, files=Files.of(str(folder))))
    assert caught.value.failure.code is Code.ARGUMENT_INVALID
    assert "exactamente uno" in str(caught.value)


async def test_without_an_open_folder_nothing_is_read(folder: Path) -> None:
    code, message = await refused(Files.of(""), str(folder / "sub" / "foto.png"))
    assert code is Code.FILE_NOT_ALLOWED
    assert "TZZR_FILES_ROOT" in message


async def test_over_http_nothing_is_read_unless_switched_on(folder: Path) -> None:
    code, _ = await refused(Files.of(str(folder)), "sub/foto.png", remote=True)
    assert code is Code.FILE_NOT_ALLOWED
    files = Files.of(str(folder), over_http=True)
    assert (await files.read("sub/foto.png", remote=True)).content == PNG


@pytest.mark.parametrize("name", ["../secret.png", "sub/../../secret.png", "/etc/passwd"])
async def test_a_path_that_leaves_the_folder_is_not_allowed(folder: Path, name: str) -> None:
    code, _ = await refused(Files.of(str(folder)), name)
    assert code is Code.FILE_NOT_ALLOWED


async def test_a_symlink_out_of_the_folder_is_not_allowed_and_one_within_is(folder: Path, tmp_path: Path) -> None:
    (folder / "out.png").symlink_to(tmp_path / "secret.png")
    (folder / "up").symlink_to(tmp_path)
    (folder / "in.png").symlink_to(folder / "sub" / "foto.png")
    files = Files.of(str(folder))
    assert (await refused(files, "out.png"))[0] is Code.FILE_NOT_ALLOWED
    assert (await refused(files, "up/secret.png"))[0] is Code.FILE_NOT_ALLOWED
    assert (await files.read("in.png")).content == PNG


async def test_an_open_folder_may_itself_be_a_symlink(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    assert (await Files.of(str(tmp_path / "link")).read("sub/foto.png")).content == PNG


async def test_a_folder_a_pipe_and_a_loop_are_no_regular_files(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder / "loop")
    files = Files.of(str(folder))
    assert (await refused(files, "sub"))[0] is Code.FILE_NOT_ALLOWED
    assert (await refused(files, ""))[0] is Code.FILE_NOT_ALLOWED
    assert (await refused(files, "pipe"))[0] is Code.FILE_NOT_ALLOWED
    assert (await refused(files, "loop"))[0] in {Code.FILE_NOT_ALLOWED, Code.FILE_NOT_FOUND}


@pytest.mark.parametrize("name", ["sub/nada.png", "sub/foto.png/x", "sub/\0.png", "~/foto.png"])
async def test_a_file_that_is_not_there_is_not_found(folder: Path, name: str) -> None:
    code, message = await refused(Files.of(str(folder)), name)
    assert code is Code.FILE_NOT_FOUND
    assert message.isprintable()


async def test_a_name_longer_than_the_system_takes_is_refused(folder: Path) -> None:
    assert (await refused(Files.of(str(folder)), "a" * 4000))[0] is Code.FILE_NOT_ALLOWED


async def test_size_is_checked_before_anything_is_read(folder: Path) -> None:
    with (folder / "big.png").open("wb") as file:
        file.truncate(LIMIT_BYTES + 1)
    (folder / "empty.png").touch()
    files = Files.of(str(folder))
    code, message = await refused(files, "big.png")
    assert code is Code.FILE_TOO_LARGE
    assert "7,0 MiB" in message
    assert (await refused(files, "empty.png"))[0] is Code.ARGUMENT_INVALID


@given(name=st.text(max_size=60))
def test_whatever_the_name_the_real_path_lies_in_an_open_folder_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    opened = tmp_path_factory.getbasetemp()
    try:
        located = Files([opened])._located(name)
    except ArgumentInvalid:
        return
    assert Path(os.path.realpath(located)).is_relative_to(opened)


@pytest.mark.parametrize("missing", ["nothing", "file"])
def test_a_root_that_is_no_folder_stops_the_start(tmp_path: Path, missing: str) -> None:
    (tmp_path / "file").write_text("x")
    roots = f"{tmp_path}{os.pathsep}{tmp_path / missing}"
    with pytest.raises(StartError, match=f"TZZR_FILES_ROOT is .*names '.*{missing}', and no folder is there"):
        load_settings([plugin], {"RUNPOD_API_KEY": "key", "TZZR_FILES_ROOT": roots})
    load_settings([plugin], {"RUNPOD_API_KEY": "key", "TZZR_FILES_ROOT": f"{tmp_path}{os.pathsep}"})
