"""Limits, cache, CORS and tokens on the world's clock."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_mocks.hst.asking import body, get, make_fake, reason, send
from tzzr_mocks.hst import HstFake, HstSettings, RateLimit

LOGIN = {"email": "reader@example.com", "password": "Lab-Passw0rd!"}


@pytest.mark.parametrize("mode", ["somehow", {}, [], {"a": 1}, 3, True])
@pytest.mark.parametrize("path", ["/auth/refresh", "/auth/logout"])
async def test_a_mode_that_there_is_not_finds_no_refresh_token(path: str, mode: Any) -> None:
    sent = await send(make_fake(), "POST", path, who="none", body={"refresh_token": "a", "mode": mode})
    assert (sent.status, body(sent)["errors"][0]["extensions"]["code"]) == (400, "INVALID_PAYLOAD")


async def wait(fake: HstFake, seconds: float) -> None:
    await fake.control.seams.clock.sleep(seconds)


async def test_the_rate_limiters_window_begins_with_its_first_request() -> None:
    fake = make_fake(rate_limit=RateLimit(2, 10))
    await get(fake, "/server/ping")
    await wait(fake, 9.5)
    assert (await get(fake, "/server/ping")).status == 200
    refused = await get(fake, "/items/tags_flg")
    assert (refused.status, refused.headers["retry-after"]) == (429, "1")
    assert body(refused)["errors"][0]["extensions"]["reset"] == "2026-11-30T14:00:10.000Z"
    await wait(fake, 1)
    assert (await get(fake, "/items/tags_flg")).status == 200


async def test_reset_forgets_the_windows() -> None:
    fake = make_fake(rate_limit=RateLimit(1, 10))
    assert [(await get(fake, "/server/ping")).status for _ in range(2)] == [200, 429]
    fake.reset()
    assert (await get(fake, "/server/ping")).status == 200


def test_a_global_limit_below_the_own_one_is_refused_as_by_the_real_server() -> None:
    with pytest.raises(ValueError, match="raise the first or lower the second"):
        HstSettings(rate_limit=RateLimit(10, 1), rate_limit_global=RateLimit(5, 1))


async def test_pressure_comes_and_goes() -> None:
    fake = make_fake(pressure_retry_after=3)
    fake.press(5)
    refused = await get(fake, "/items/tags_flg")
    assert (refused.status, refused.headers["retry-after"]) == (503, "3")
    assert "x-powered-by" not in refused.headers
    await wait(fake, 5)
    assert (await get(fake, "/items/tags_flg")).status == 200


async def test_a_kept_answer_grows_old_and_a_write_purges_it() -> None:
    fake = make_fake(cache_seconds=60.0)

    async def status() -> str:
        return (await get(fake, "/items/tags_flg/1")).headers["x-cache-status"]

    assert [await status(), await status()] == ["MISS", "HIT"]
    await wait(fake, 61)
    assert [await status(), await status()] == ["MISS", "HIT"]
    await send(fake, "PATCH", "/items/tags_flg/2", who="admin", body={"nombre": "x"})
    assert await status() == "MISS"


async def test_a_login_takes_half_a_second_right_or_wrong() -> None:
    fake = make_fake()
    clock = fake.control.seams.clock
    for password, status in (("Lab-Passw0rd!", 200), ("wrong", 401)):
        began = clock.monotonic()
        sent = await send(fake, "POST", "/auth/login", who="none", body={**LOGIN, "password": password})
        assert sent.status == status
        assert clock.monotonic() - began == pytest.approx(0.5)


async def test_an_access_token_expires_after_a_quarter_of_an_hour() -> None:
    fake = make_fake()
    tokens = body(await send(fake, "POST", "/auth/login", who="none", body=LOGIN))["data"]
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    assert (await get(fake, "/items/tags_flg", who="none", headers=headers)).status == 200
    await wait(fake, 901)
    refused = await get(fake, "/items/tags_flg", who="none", headers=headers)
    assert (refused.status, reason(refused)) == (401, "Token expired.")
    renewed = await send(fake, "POST", "/auth/refresh", who="none", body={"refresh_token": tokens["refresh_token"]})
    assert renewed.status == 200


async def test_the_cookies_of_a_session_and_of_a_refresh_work() -> None:
    fake = make_fake()
    session = await send(fake, "POST", "/auth/login", who="none", body={**LOGIN, "mode": "session"})
    cookie = session.headers["set-cookie"].partition(";")[0]
    assert (await get(fake, "/items/tags_flg", who="none", headers={"Cookie": cookie})).status == 200
    login = await send(fake, "POST", "/auth/login", who="none", body={**LOGIN, "mode": "cookie"})
    cookie = login.headers["set-cookie"].partition(";")[0]
    renewed = await send(fake, "POST", "/auth/refresh", who="none", body={"mode": "cookie"}, headers={"Cookie": cookie})
    assert set(body(renewed)["data"]) == {"expires", "access_token"}


async def test_two_worlds_of_one_seed_give_the_same_tokens() -> None:
    pairs = [body(await send(make_fake(), "POST", "/auth/login", who="none", body=LOGIN)) for _ in range(2)]
    assert pairs[0] == pairs[1]


async def test_a_real_request_head_with_raw_letters_is_a_bare_400() -> None:
    sent = await get(make_fake(), "/items/tags_flg", "search=España")
    assert (sent.status, sent.content) == (400, b"")
