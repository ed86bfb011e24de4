"""A snapshot brings back more than rows: logins, windows, kept answers and pressure, each with the time it had left."""

from __future__ import annotations

from tests.tzzr_mocks.hst.asking import body, get, make_fake, send
from tests.tzzr_mocks.hst.test_layers import LOGIN, wait
from tzzr_mocks.hst import HstFake, RateLimit


async def refreshed(fake: HstFake, token: str) -> tuple[int, str | None]:
    """The status of changing a refresh token for another pair, and the new one."""
    sent = await send(fake, "POST", "/auth/refresh", who="none", body={"refresh_token": token})
    return sent.status, body(sent).get("data", {}).get("refresh_token")


async def test_a_login_that_was_used_up_is_good_again_and_the_next_token_is_the_same() -> None:
    fake = make_fake()
    token = body(await send(fake, "POST", "/auth/login", who="none", body=LOGIN))["data"]["refresh_token"]
    kept = fake.snapshot()
    first = await refreshed(fake, token)
    assert (await refreshed(fake, token))[0] == 401
    await wait(fake, 60)
    fake.restore(kept)
    assert await refreshed(fake, token) == first


async def test_a_window_goes_on_with_its_requests_and_the_rest_of_its_time() -> None:
    fake = make_fake(rate_limit=RateLimit(2, 10))

    async def statuses() -> list[int]:
        seen = [(await get(fake, "/server/ping")).status for _ in range(2)]
        await wait(fake, 6.5)
        return [*seen, (await get(fake, "/server/ping")).status]

    await get(fake, "/server/ping")
    await wait(fake, 4)
    kept = fake.snapshot()
    first = await statuses()
    await wait(fake, 3)
    fake.restore(kept)
    assert await statuses() == first == [200, 429, 200]


async def test_a_kept_answer_is_kept_for_as_long_as_was_left() -> None:
    fake = make_fake(cache_seconds=60.0)

    async def found() -> list[str]:
        seen = []
        for pause in (0, 19, 2):
            await wait(fake, pause)
            seen.append((await get(fake, "/items/tags_flg/1")).headers["x-cache-status"])
        return seen

    await get(fake, "/items/tags_flg/1")
    await wait(fake, 40)
    kept = fake.snapshot()
    first = await found()
    await send(fake, "PATCH", "/items/tags_flg/2", who="admin", body={"nombre": "x"})
    fake.restore(kept)
    assert await found() == first == ["HIT", "HIT", "MISS"]


async def test_pressure_lasts_for_as_long_as_was_left() -> None:
    fake = make_fake()
    fake.press(10)
    await wait(fake, 4)
    kept = fake.snapshot()
    await wait(fake, 100)
    fake.restore(kept)
    await wait(fake, 5.5)
    assert (await get(fake, "/items/tags_flg")).status == 503
    await wait(fake, 1)
    assert (await get(fake, "/items/tags_flg")).status == 200
    calm = fake.snapshot()
    fake.press(10)
    fake.restore(calm)
    assert (await get(fake, "/items/tags_flg")).status == 200
