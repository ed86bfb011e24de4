"""No recording of RunPod's software lies about unused: every case is replayed, or its reason is told."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.tzzr_mocks.grace import test_client_requests, test_local_server, test_posts
from tests.tzzr_mocks.grace.clients.cases import BY_CLIENT, NOT_REPLAYED
from tests.tzzr_mocks.grace.clients.stage import GOLDEN, recorded

REPLAYED_BY = {
    "python_sync": "clients/test_python_sync.py", "python_asyncio": "clients/test_python_asyncio.py",
    "javascript": "clients/test_javascript.py", "local_server": "test_local_server.py",
    "requests": "test_client_requests.py", "worker_posts": "test_posts.py",
}  # fmt: skip
"""Each file of recordings, and the tests that put it to the fake."""

NAMES = {"python_sync": "SYNC", "python_asyncio": "ASYNC", "javascript": "JS"}


def test_each_file_of_recordings_has_its_tests() -> None:
    assert {file.stem for file in GOLDEN.glob("*.json")} == set(REPLAYED_BY)
    assert all((Path(__file__).parent / test).is_file() for test in REPLAYED_BY.values())
    described = (GOLDEN / "SOURCE.md").read_text("utf-8")
    assert [name for name in REPLAYED_BY if f"`{name}.json`" not in described] == []


@pytest.mark.parametrize("client", BY_CLIENT)
def test_each_case_of_a_client_is_in_one_group_or_has_a_reason(client: str) -> None:
    grouped = Counter(case for cases in BY_CLIENT[client].values() for case in cases)
    told = {case for case in NOT_REPLAYED if case in recorded(client)}

    assert {case for case, times in grouped.items() if times > 1} == set()
    assert set(grouped) & told == set()
    assert set(grouped) | told == set(recorded(client))


@pytest.mark.parametrize("client", BY_CLIENT)
def test_each_group_is_taken_up_by_the_clients_tests(client: str) -> None:
    tree = ast.parse((Path(__file__).parent / REPLAYED_BY[client]).read_text("utf-8"))
    taken = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    meets = f"{NAMES[client]}[f'{{call}} meets']" in taken  # one test for both calls

    assert [
        group
        for group in BY_CLIENT[client]
        if f"{NAMES[client]}[{group!r}]" not in taken and not (meets and group in ("run meets", "status meets"))
    ] == []


def test_a_reason_is_told_only_of_what_was_recorded() -> None:
    assert [case for case in NOT_REPLAYED if not any(case in recorded(client) for client in BY_CLIENT)] == []
    assert all(NOT_REPLAYED.values())


def test_each_recorded_post_of_a_worker_is_compared() -> None:
    streams = {name + off for name in test_posts.STREAMS for off in ("", "_off")}

    assert {*test_posts.RESULTS, *streams, *test_posts.ALONE} == set(test_posts.RECORDED)


def test_each_recorded_request_and_each_exchange_with_the_local_server_is_put_to_the_fake() -> None:
    assert len(test_client_requests.EVERY) == sum(map(len, recorded("requests").values()))
    assert set(test_local_server.RECORDED) == set(recorded("local_server"))
    assert len(test_local_server.RECORDED) == 100
