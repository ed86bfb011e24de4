"""Results as lines for a terminal."""

from __future__ import annotations

from typing import Any

from mcp import types as t

from tzzr_mcp.host.shown import MOST_ROWS, printable, result_lines, table_lines


def a_table(rows: list[list[Any]]) -> dict[str, Any]:
    columns = [{"key": "who", "title": "Who", "type": "text"}, {"key": "sum", "title": "Sum", "type": "number"}]
    return {"title": "Sums", "columns": columns, "rows": rows}


def test_numbers_stand_right_and_words_left() -> None:
    assert list(table_lines(a_table([["Ada", 1.5], ["Eva", 1234.0]]))) == [
        "Sums (2 rows)",
        "Who       Sum",
        "Ada      1.50",
        "Eva  1,234.00",
    ]


def test_a_long_table_shows_how_it_begins_and_ends() -> None:
    lines = list(table_lines(a_table([[str(number), number] for number in range(100)])))

    assert len(lines) == MOST_ROWS + 3
    assert lines[0] == "Sums (100 rows)"
    assert lines[-4].split() == ["…", "…"]
    assert lines[-1].split() == ["99", "99"]


def test_a_server_cannot_steer_the_terminal() -> None:
    assert printable("\x1b[2Jhola\n\u202e") == "\N{REPLACEMENT CHARACTER}[2Jhola\n\N{REPLACEMENT CHARACTER}"


def test_the_notice_comes_first_and_the_source_last() -> None:
    result = t.CallToolResult(
        content=[t.TextContent(text="hecho"), t.ImageContent(data="", mime_type="image/png")],
        structured_content={
            "notice": {"level": "warning", "text": "ojo"},
            "source": {"name": "fake", "kind": "service", "simulated": True},
        },
    )

    assert list(result_lines(result)) == ["[warning] ojo", "hecho", "[image]", "", "source: fake (service, simulated)"]
