"""Pages of a list: all of it, in order, each item once, by cursors that nobody can make up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import types as t
from mcp.shared.exceptions import MCPError

from tzzr_mcp.server.paging import page


def at(cursor: str | None) -> t.PaginatedRequestParams:
    return t.PaginatedRequestParams(cursor=cursor)


@given(st.integers(0, 40), st.integers(1, 12))
def test_the_pages_one_after_the_other_are_the_list(count: int, size: int) -> None:
    items, read, pages = list(range(count)), list[int](), 0
    found, cursor = page(items, None, size)
    assert (found, cursor) == page(items, at(None), size)
    while True:
        read += found
        pages += 1
        if cursor is None:
            break
        assert len(found) == size
        found, cursor = page(items, at(cursor), size)
    assert read == items
    assert pages == max(1, -(-count // size))


def test_a_list_that_fills_its_page_has_no_next_one() -> None:
    assert page("abc", None, 3) == (["a", "b", "c"], None)
    found, cursor = page("abcd", None, 3)
    assert found == ["a", "b", "c"]
    assert page("abcd", at(cursor), 3) == (["d"], None)


@pytest.mark.parametrize("cursor", ["", "x", "0", "ZnJvbSAw", "ZnJvbSA0", "ZnJvbSAy", "x" * 500])
def test_a_cursor_that_no_page_ended_with_is_refused_with_the_mend(cursor: str) -> None:
    with pytest.raises(MCPError) as caught:
        page("abcdef", at(cursor), 3)
    assert (caught.value.error.code, caught.value.error.data) == (-32602, {"cursor": cursor[:200]})
    message = caught.value.error.message
    assert message.startswith('El cursor "')
    assert message.endswith("no es válido. Use el «nextCursor» de la página anterior, o ninguno para empezar.")


def test_a_cursor_of_a_longer_list_is_none_of_a_shorter_one() -> None:
    _, cursor = page("abcdefg", None, 3)
    assert page("abcd", at(cursor), 3) == (["d"], None)
    with pytest.raises(MCPError):
        page("abc", at(cursor), 3)
