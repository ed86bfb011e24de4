from __future__ import annotations

import pytest

from tests.tzzr_mocks.small import SmallFake, direct_client, small_fake


@pytest.fixture
async def fake() -> SmallFake:
    fake = small_fake()
    async with direct_client(fake) as client:
        await client.post("/run", json={"module": "HASHER", "lang": "es"}, headers={"X-Kind": "a"})
        await client.post("/run", json={"module": "OCR_CORE", "lang": "en"})
        await client.get("/health")
    return fake


async def test_what_was_seen_is_returned(fake: SmallFake) -> None:
    assert len(fake.control.saw("POST /run", times=2)) == 2
    assert fake.control.saw("POST /run", module="HASHER", body={"/lang": "es"}, headers={"x-kind": "a"})
    assert fake.control.saw("POST /run", times=0, module="OCR_GROQ") == []


async def test_a_failure_shows_the_nearest_exchanges_and_what_differs(fake: SmallFake) -> None:
    with pytest.raises(AssertionError) as caught:
        fake.control.saw("POST /run", times=1, module="HASHER", body={"/lang": "en"})

    lines = str(caught.value).splitlines()
    assert lines[0].startswith("expected 1 × POST /run service='grace' module='HASHER'")
    assert lines[0].endswith("saw 0")
    assert lines[2].strip() == "#1 grace POST /run HASHER → 200"
    assert lines[3].strip() == "body /lang: wanted 'en', was 'es'"
    assert "module: wanted 'HASHER', was 'OCR_CORE'" in str(caught.value)


async def test_too_many_show_those_that_fit(fake: SmallFake) -> None:
    with pytest.raises(AssertionError, match="this one fits"):
        fake.control.saw("POST /run", times=1)


async def test_nothing_at_all_is_said_so() -> None:
    with pytest.raises(AssertionError, match="no request arrived at all"):
        small_fake().control.saw("POST /run")


async def test_find_gives_all_that_fit(fake: SmallFake) -> None:
    journal = fake.control.journal

    assert [exchange.module for exchange in journal.find(method="POST")] == ["HASHER", "OCR_CORE"]
    assert journal.find(contains='"lang":"en"')[0].module == "OCR_CORE"
    assert len(journal.of("grace")) == 3
