"""Directus: fields named, sort given, every page until the count."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.tzzr_mcp.services.rows import Shelf, a_row, rows
from tests.tzzr_mcp.services.worlds import TRACE_ID, Reply, new_router, new_seams, new_upstream, script, within
from tzzr_mcp.services.directus import MOST, PAGE, Directus, Query, Rows
from tzzr_mcp.services.tags import FIELDS
from tzzr_mcp.services.troubles import Trouble, UpstreamError

TAGS = Query("tags_hst", FIELDS, ["ref"])


async def read(shelf: Shelf, query: Query = TAGS) -> Rows:
    seams = new_seams()
    return await Directus(new_upstream(shelf.router, seams, "hst")).items(query, within(50, seams), TRACE_ID)


async def answers(*replies: Reply) -> Rows:
    router, seams = new_router(), new_seams()
    router.get(url__regex=r".*/items/\w+").mock(side_effect=script(*replies))
    return await Directus(new_upstream(router, seams, "hst")).items(TAGS, within(50, seams), TRACE_ID)


def a_page(data: Any, count: Any) -> httpx.Response:
    return httpx.Response(200, json={"meta": {"filter_count": count}, "data": data})


async def test_a_collection_is_read_page_by_page_until_its_count() -> None:
    shelf = Shelf()
    got = await read(shelf)
    assert len(got.rows) == 639
    assert got.simulated
    assert [request.url.params["offset"] for request in shelf.asked] == ["0", str(PAGE), str(2 * PAGE)]


async def test_every_page_is_told_as_the_call_s_own() -> None:
    shelf, seams = Shelf(), new_seams()
    await Directus(new_upstream(shelf.router, seams, "hst")).items(TAGS, within(50, seams), TRACE_ID)
    asked = [event.details for event in seams.trace if event.kind == "upstream.request"]
    place = {"service": "hst", "method": "GET", "path": "/items/tags_hst", "trace_id": str(TRACE_ID)}
    assert asked == [place] * 3
    assert shelf.traces == {str(TRACE_ID)}


async def test_fields_sort_and_count_are_always_asked_for_and_the_limit_is_never_minus_one() -> None:
    shelf = Shelf()
    await read(shelf)
    params = shelf.asked[0].url.params
    assert params["fields"] == ",".join(FIELDS)
    assert (params["sort"], params["limit"], params["meta"]) == ("ref", str(PAGE), "filter_count")
    assert "filter" not in params
    assert "access_token" not in params
    await read(shelf, Query("tags_hst", FIELDS, ["nivel", "ref"]))
    assert shelf.asked[-1].url.params["sort"] == "nivel,ref"


async def test_a_filter_goes_out_as_json_with_its_accents() -> None:
    shelf = Shelf({"tags_hst": [a_row(ref='ñ "x"')]})
    got = await read(shelf, Query("tags_hst", FIELDS, ["ref"], {"ref": {"_eq": 'ñ "x"'}}))
    assert len(got.rows) == 1
    assert shelf.asked[0].url.params["filter"] == '{"ref": {"_eq": "ñ \\"x\\""}}'


async def test_an_empty_collection_is_no_error() -> None:
    assert (await read(Shelf({"tags_hst": []}))).rows == []


async def test_a_server_that_gives_shorter_pages_than_asked_is_read_to_the_end() -> None:
    parts = [a_page(rows(639, "H")[at : at + 50], 639) for at in range(0, 639, 50)]
    assert len((await answers(*parts)).rows) == 639


async def test_rows_that_change_in_between_are_read_once_more() -> None:
    before, after = rows(3, "H"), rows(2, "H")
    got = await answers(a_page(before[:2], 3), a_page([], 2), a_page(after, 2))
    assert len(got.rows) == 2


async def test_rows_and_count_that_never_agree_are_a_bad_response() -> None:
    with pytest.raises(UpstreamError) as caught:
        await answers(a_page([a_row()], 5), a_page([], 5), a_page([a_row()], 5), a_page([], 5))
    assert (caught.value.service, caught.value.trouble) == ("hst", Trouble.BAD_RESPONSE)


async def test_twenty_thousand_rows_are_read_and_no_more() -> None:
    whole = await answers(a_page([{"id": number} for number in range(MOST)], MOST))
    assert len(whole.rows) == MOST == 20_000
    with pytest.raises(UpstreamError, match="bad_response"):
        await answers(a_page([{"id": 0}], MOST + 1))


@pytest.mark.parametrize(
    "document",
    [
        {"data": [a_row()]},
        {"data": [a_row()], "meta": None},
        {"data": None, "meta": {"filter_count": 1}},
        {"data": {"id": 1}, "meta": {"filter_count": 1}},
        {"data": [1, 2], "meta": {"filter_count": 2}},
        {"data": [{"ref": "x"}], "meta": {"filter_count": 1}},
        {"data": [], "meta": {"filter_count": "639"}},
        {"data": [], "meta": {"filter_count": -1}},
        {"data": [], "meta": {"filter_count": 10**9}},
    ],
    ids=range(9),
)
async def test_what_is_no_page_of_rows_is_a_bad_response(document: Any) -> None:
    with pytest.raises(UpstreamError) as caught:
        await answers(httpx.Response(200, json=document))
    assert (caught.value.service, caught.value.trouble, caught.value.status) == ("hst", Trouble.BAD_RESPONSE, 200)


async def test_a_page_that_is_no_json_is_a_bad_response_of_directus() -> None:
    with pytest.raises(UpstreamError) as caught:
        await answers(httpx.Response(200, text="pong"))
    assert str(caught.value) == "hst: bad_response (200)"


@pytest.mark.parametrize(
    ("status", "trouble"),
    [(401, Trouble.AUTH), (403, Trouble.FORBIDDEN), (503, Trouble.BROKEN), (400, Trouble.REFUSED)],
)
async def test_an_error_of_directus_is_its_trouble(status: int, trouble: Trouble) -> None:
    with pytest.raises(UpstreamError) as caught:
        await answers(httpx.Response(status, json={"errors": [{"message": "x", "extensions": {"code": "Y"}}]}))
    assert caught.value.trouble is trouble


async def test_a_rate_limited_page_waits_as_long_as_directus_says() -> None:
    got = await answers(httpx.Response(429, headers={"Retry-After": "3"}), a_page([a_row()], 1))
    assert len(got.rows) == 1


async def test_what_was_read_whole_comes_again_only_where_it_has_changed() -> None:
    router, seams = new_router(), new_seams()
    pages = {"0": ('W/"a"', [a_row(id=1, ref="a")]), "1": ('W/"b"', [a_row(id=2, ref="b")])}

    def reply(request: httpx.Request) -> httpx.Response:
        etag, data = pages[request.url.params["offset"]]
        if request.headers.get("If-None-Match") == etag:
            return httpx.Response(304, headers={"ETag": etag})
        return httpx.Response(200, headers={"ETag": etag}, json={"meta": {"filter_count": 2}, "data": data})

    route = router.get("/items/tags_hst").mock(side_effect=reply)
    directus = Directus(new_upstream(router, seams, "hst"))
    first = await directus.items(TAGS, within(50, seams), TRACE_ID)
    assert await directus.items(TAGS, within(50, seams), TRACE_ID) == first
    pages["1"] = ('W/"c"', [a_row(id=2, ref="c")])
    changed = await directus.items(TAGS, within(50, seams), TRACE_ID)
    assert [row["ref"] for row in changed.rows] == ["a", "c"]
    assert [call.response.status_code for call in route.calls] == [200, 200, 304, 304, 304, 200]


async def test_a_narrowed_question_is_always_asked_whole() -> None:
    shelf, seams = Shelf(), new_seams()
    directus = Directus(new_upstream(shelf.router, seams, "hst"))
    for _ in range(2):
        await directus.items(
            Query("tags_hst", FIELDS, ["ref"], {"ref": {"_eq": "H-0001"}}), within(50, seams), TRACE_ID
        )
    assert all("If-None-Match" not in request.headers for request in shelf.asked)


async def test_a_304_that_nobody_asked_for_is_no_answer() -> None:
    with pytest.raises(UpstreamError) as caught:
        await answers(httpx.Response(304))
    assert caught.value.trouble is Trouble.REFUSED
