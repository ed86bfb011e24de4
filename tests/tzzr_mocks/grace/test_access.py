"""Keys and endpoints (runpod.md §3; checks 9, 11, 19)."""

from __future__ import annotations

import httpx
import pytest

from tests.tzzr_mocks.grace.caller import KEY, calling, control
from tests.tzzr_mocks.grace.checks import both_ways, check
from tzzr_mocks.grace import Deployment, GraceFake, Options
from tzzr_mocks.network.direct import DirectTransport


@check(9)
@both_ways
@pytest.mark.parametrize("header", [f"Bearer {KEY}", KEY, f"bearer  {KEY}"])
async def test_the_key_is_taken_with_and_without_bearer(way: str, header: str) -> None:
    async with calling(way=way) as runpod:
        assert (await runpod.ask("GET", "health", headers={"Authorization": header})).status_code == 200


@check(9)
@both_ways
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Basic {KEY}", f"{KEY}x"])
async def test_a_missing_or_wrong_key_is_401_with_an_empty_text(way: str, header: str) -> None:
    async with calling(way=way) as runpod:
        response = await runpod.ask("POST", "run", json={"input": {}}, headers={"Authorization": header})

        assert response.status_code == 401
        assert response.content == b""
        assert response.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(("form", "body"), [
    ("json", {"error": "unauthorized"}),
    ("gateway", {"detail": "invalid api key", "status": 401, "title": "Unauthorized"}),
])  # fmt: skip
async def test_the_401s_other_forms_are_switches(form: str, body: dict[str, object]) -> None:
    async with calling(options=Options(unauthorized=form)) as runpod:  # type: ignore[arg-type]  # a parameter
        response = await runpod.ask("GET", "health", headers={"Authorization": "wrong"})

        assert (response.status_code, response.json()) == (401, body)


@check(11)
@both_ways
async def test_an_unknown_endpoint_is_404(way: str) -> None:
    async with calling(way=way) as runpod:
        response = await runpod.http.get("nowhere/health")

        assert (response.status_code, response.json()) == (404, {"error": "endpoint not found"})


@pytest.mark.parametrize(("auth_first", "status"), [(True, 401), (False, 404)])
async def test_whether_the_key_is_told_before_the_endpoint_is_a_switch(auth_first: bool, status: int) -> None:
    async with calling(options=Options(auth_first=auth_first)) as runpod:
        response = await runpod.http.get("nowhere/health", headers={"Authorization": "wrong"})

        assert response.status_code == status


async def test_a_key_opens_only_the_endpoints_that_it_is_for() -> None:
    deployments = {"one": Deployment(), "two": Deployment()}
    fake = GraceFake(control(), starting="empty", deployments=deployments, keys={"k1": ["one"], "all": None})
    async with httpx.AsyncClient(transport=DirectTransport(fake.app), base_url="http://runpod.test/v2/") as http:
        seen = [
            (await http.get(f"{name}/health", headers={"Authorization": key})).status_code
            for name in ("one", "two", "three")
            for key in ("k1", "all", "no")
        ]

    assert seen == [200, 200, 401, 401, 200, 401, 404, 404, 401]


@check(19)
@both_ways
@pytest.mark.parametrize("route", ["status", "status-sync", "stream", "cancel", "retry"])
async def test_an_unknown_job_is_404(way: str, route: str) -> None:
    async with calling(way=way) as runpod:
        response = await runpod.ask("POST", f"{route}/00000000-0000-4000-8000-000000000000-u1")

        assert (response.status_code, response.json()) == (404, {"error": "job not found"})


@pytest.mark.parametrize(("form", "media_type"), [("empty", "text/plain"), ("html", "text/html")])
async def test_the_404s_other_forms_are_switches(form: str, media_type: str) -> None:
    async with calling(options=Options(not_found=form)) as runpod:  # type: ignore[arg-type]  # a parameter
        response = await runpod.ask("GET", "status/x")

        assert response.status_code == 404
        assert response.headers["content-type"].startswith(media_type)


async def test_other_paths_of_a_queue_endpoint_are_refused_in_its_words() -> None:
    async with calling() as runpod:
        response = await runpod.ask("GET", "ping/pong")
        wrong_method = await runpod.ask("GET", "run")

        assert (response.status_code, response.json()) == (400, {"error": "not allowed for QB API"})
        assert wrong_method.status_code == 405


async def test_every_reply_says_that_it_is_a_fakes() -> None:
    async with calling() as runpod:
        assert (await runpod.ask("GET", "health")).headers["x-tzzr-fake"] == "grace"
        assert (await runpod.ask("GET", "health", headers={"Authorization": ""})).headers["x-tzzr-fake"] == "grace"
