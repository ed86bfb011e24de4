"""HST: libraries read once and kept, tags found by ref, every trouble with its code."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import httpx
import pytest

from tests.tzzr_mcp.services.rows import LIBRARIES, Shelf, a_row
from tests.tzzr_mcp.services.worlds import (
    KEY,
    TRACE_ID,
    Hang,
    Reply,
    new_router,
    new_seams,
    new_upstream,
    script,
    within,
)
from tzzr_mcp.contract.errors import Code, ContractError, Failure
from tzzr_mcp.seams import Seams
from tzzr_mcp.services.directus import Directus
from tzzr_mcp.services.hst import CODES, Hst
from tzzr_mcp.services.tags import LIBRARIES as NAMES
from tzzr_mcp.services.troubles import Trouble


def new_hst(shelf: Shelf, seams: Seams, ttl_s: float = 300) -> Hst:
    return Hst(Directus(new_upstream(shelf.router, seams, "hst")), ttl_s)


async def test_a_library_is_read_once_and_kept_for_its_time() -> None:
    shelf, seams = Shelf(), new_seams()
    hst = new_hst(shelf, seams, ttl_s=60)
    first = await hst.library("flg", within(50, seams), TRACE_ID)
    await seams.clock.sleep(59)
    assert await hst.library("flg", within(50, seams), TRACE_ID) is first
    await seams.clock.sleep(1)
    assert await hst.library("flg", within(50, seams), TRACE_ID) is not first
    assert shelf.collections == ["tags_flg"] * 2


async def test_concurrent_callers_share_one_reading() -> None:
    shelf, seams = Shelf(), new_seams()
    hst = new_hst(shelf, seams)
    found = await asyncio.gather(*(hst.library("spe", within(50, seams), TRACE_ID) for _ in range(20)))
    assert len(shelf.asked) == 1
    assert {id(library) for library in found} == {id(found[0])}


async def test_the_libraries_come_in_the_order_asked_with_their_tags_in_order() -> None:
    shelf, seams = Shelf(), new_seams()
    libraries = await new_hst(shelf, seams).libraries(NAMES, within(50, seams), TRACE_ID)
    assert [(library.name, len(library.tags)) for library in libraries] == [("hst", 639), ("spe", 145), ("flg", 2)]
    assert all([tag.ref for tag in library.tags] == sorted(tag.ref for tag in library.tags) for library in libraries)
    assert [{tag.biblioteca for tag in library.tags} for library in libraries] == [{"hst"}, {"spe"}, {"flg"}]
    assert shelf.traces == {str(TRACE_ID)}


async def test_what_was_read_tells_when_and_by_whom() -> None:
    shelf, seams = Shelf(), new_seams()
    hst = new_hst(shelf, seams)
    began = seams.clock.now()
    await seams.clock.sleep(7)
    library = await hst.library("flg", within(50, seams), TRACE_ID)
    found = await hst.tag("ES", within(50, seams), TRACE_ID)
    assert library.read_at == found.read_at == began + timedelta(seconds=7)
    assert library.simulated is found.simulated is True


async def test_a_tag_is_found_in_whichever_library_has_it() -> None:
    shelf, seams = Shelf(), new_seams()
    found = await new_hst(shelf, seams).tag("FR", within(50, seams), TRACE_ID)
    assert (found.tag.biblioteca, found.tag.nombre, found.simulated) == ("flg", "Francia", True)
    assert shelf.collections == ["tags_hst", "tags_spe", "tags_flg"]
    assert shelf.traces == {str(TRACE_ID)}


async def test_an_unknown_tag_is_not_found_and_the_nearest_are_named() -> None:
    shelf, seams = Shelf(), new_seams()
    with pytest.raises(ContractError) as caught:
        await new_hst(shelf, seams).tag("FRA", within(50, seams), TRACE_ID)
    failure = caught.value.failure
    assert (failure.code, failure.retryable) == (Code.HST_NOT_FOUND, False)
    assert failure.message.startswith('No se encontró el tag: la referencia "FRA" no existe o no se puede leer')
    assert (failure.details["ref"], failure.details["near"][0]) == ("FRA", "FR")
    assert shelf.traces == {str(TRACE_ID)}


@pytest.mark.parametrize("missing", [None, *LIBRARIES])
async def test_the_nearest_are_looked_for_in_every_library_that_can_be_read(missing: str | None) -> None:
    shelf, seams = Shelf({f"tags_{name}": [a_row(ref=f"ESTE-{name}")] for name in NAMES}), new_seams()
    near = {f"ESTE-{name}" for name in NAMES if f"tags_{name}" != missing}
    if missing is not None:
        del shelf.libraries[missing]
    with pytest.raises(ContractError) as caught:
        await new_hst(shelf, seams).tag("ESTE", within(50, seams), TRACE_ID)
    assert set(caught.value.failure.details["near"]) == near


async def test_what_directus_coerces_is_not_taken_for_the_tag() -> None:
    shelf, seams = Shelf({**LIBRARIES, "tags_hst": [a_row(ref="null")]}), new_seams()
    shelf.libraries["tags_spe"] = [a_row(ref="other")]
    found = await new_hst(shelf, seams).tag("null", within(50, seams), TRACE_ID)
    assert found.tag.ref == "null"


async def test_a_library_that_may_not_be_read_hides_no_tag_of_another() -> None:
    shelf, seams = Shelf({"tags_flg": LIBRARIES["tags_flg"]}), new_seams()
    hst = new_hst(shelf, seams)
    assert (await hst.tag("ES", within(50, seams), TRACE_ID)).tag.nombre == "España"
    with pytest.raises(ContractError) as caught:
        await hst.tag("nada", within(50, seams), TRACE_ID)
    assert caught.value.failure.code is Code.HST_NOT_FOUND


async def test_what_directus_coerces_alone_is_no_find() -> None:
    shelf, seams = Shelf({**LIBRARIES, "tags_hst": []}), new_seams()
    row = a_row(ref="0123")
    shelf.router.get(url__regex=r".*/items/tags_spe").respond(json={"meta": {"filter_count": 1}, "data": [row]})
    with pytest.raises(ContractError) as caught:
        await new_hst(shelf, seams).tag("123", within(50, seams), TRACE_ID)
    assert caught.value.failure.code is Code.HST_NOT_FOUND


async def test_a_token_that_may_read_no_library_is_told_as_that() -> None:
    shelf, seams = Shelf({}), new_seams()
    with pytest.raises(ContractError) as caught:
        await new_hst(shelf, seams).tag("ES", within(50, seams), TRACE_ID)
    assert "Revise los permisos de HST_TOKEN" in caught.value.failure.message


async def test_a_row_that_is_no_tag_makes_a_bad_response() -> None:
    shelf, seams = Shelf({"tags_flg": [a_row(nombre=None)]}), new_seams()
    with pytest.raises(ContractError) as caught:
        await new_hst(shelf, seams).library("flg", within(50, seams), TRACE_ID)
    assert caught.value.failure.code is Code.HST_BAD_RESPONSE
    assert caught.value.failure.message.startswith("No se pudieron consultar los tags: ")


TROUBLES: dict[str, tuple[Reply, Code]] = {
    "400": (httpx.Response(400), Code.HST_BAD_RESPONSE),
    "401": (httpx.Response(401), Code.HST_AUTH),
    "403": (httpx.Response(403), Code.HST_NOT_FOUND),
    "403 token": (httpx.Response(403, json={"errors": [{"extensions": {"code": "INVALID_TOKEN"}}]}), Code.HST_AUTH),
    "404": (httpx.Response(404), Code.HST_NOT_FOUND),
    "429": (httpx.Response(429, headers={"Retry-After": "99"}), Code.HST_RATE_LIMITED),
    "500": (httpx.Response(500, json={"errors": [{"message": f"SELECT {KEY}"}]}), Code.HST_UNREACHABLE),
    "503": (httpx.Response(503), Code.HST_UNREACHABLE),
    "page": (httpx.Response(200, text="pong"), Code.HST_BAD_RESPONSE),
    "refused": (httpx.ConnectError("no"), Code.HST_UNREACHABLE),
}


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("by_ref", [True, False])
async def test_each_trouble_has_its_code_and_no_words_of_directus(trouble: str, by_ref: bool) -> None:
    reply, code = TROUBLES[trouble]
    router, seams = new_router(), new_seams()
    router.get(url__regex=r".*").mock(side_effect=script(reply))
    hst = Hst(Directus(new_upstream(router, seams, "hst")))
    with pytest.raises(ContractError) as caught:
        await (hst.tag if by_ref else hst.library)("hst", within(50, seams), TRACE_ID)
    assert caught.value.failure.code is code
    assert KEY not in str(caught.value.failure)
    assert caught.value.failure.message.startswith("No se pudieron consultar los tags: ")
    assert "SELECT" not in caught.value.failure.message


async def test_a_reading_that_hangs_ends_with_the_deadline_also_for_those_who_wait_for_it() -> None:
    seams = new_seams()
    hst = Hst(Directus(new_upstream(Hang(seams), seams, "hst")))

    async def asks(seconds: float) -> tuple[Failure, float]:
        with pytest.raises(ContractError) as caught:
            await hst.library("hst", within(seconds, seams), TRACE_ID)
        return caught.value.failure, seams.clock.monotonic()

    ends = await asyncio.gather(asks(8), asks(3))
    assert [failure.code for failure, _ in ends] == [Code.HST_UNREACHABLE] * 2
    assert [at for _, at in ends] == pytest.approx([8, 3])
    assert all(failure.message.startswith("No se pudieron consultar los tags: ") for failure, _ in ends)


async def test_a_reader_that_is_cancelled_leaves_the_next_one_free() -> None:
    shelf, seams = Shelf(), new_seams()
    hang = Hang(seams)
    hst = Hst(Directus(new_upstream(hang, seams, "hst")))
    task = asyncio.ensure_future(hst.library("flg", within(50, seams), TRACE_ID))
    await seams.clock.sleep(1)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    hst.directus = Directus(new_upstream(shelf.router, seams, "hst"))
    assert (await hst.library("flg", within(5, seams), TRACE_ID)).name == "flg"


def test_every_trouble_has_a_code() -> None:
    assert set(CODES) == set(Trouble)
