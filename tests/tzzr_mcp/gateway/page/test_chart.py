"""Charts in a real browser: what is drawn is read back from the pixels and is the table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tzzr_mcp.drawing.reading import bars, points, value
from tests.tzzr_mcp.gateway.page.browsing import MARKS, answered, ask, scripted
from tests.tzzr_mcp.gateway.page.scripted import Api, done, finished, said, started
from tzzr_mcp.gateway.events import ROWS, Cell, Chart, ChartEvent, Column, RowsEvent, Table, TableEvent

pytestmark = MARKS
COLUMNS = (
    Column(key="mes", title="Mes", type="integer"),
    Column(key="eolica", title="Eólica", type="number", unit="GWh"),
    Column(key="solar", title="Solar", type="number"),
)
ROWS_DRAWN: list[list[Cell]] = [[1, 10.5, 2.0], [2, 8.25, None], [3, -3.0, 7.5], [6, 12.0, 9.0]]


def chart(kind: Any, *y: str, x: str = "mes", stacked: bool = False) -> ChartEvent:
    return ChartEvent(
        call="1", chart=Chart(id="c", title="Producción", table="t", kind=kind, x=x, y=y, stacked=stacked)
    )


def answer(*drawings: ChartEvent, rows: list[list[Cell]] = ROWS_DRAWN, columns: tuple[Column, ...] = COLUMNS) -> Api:
    table = Table(id="t", title="Producción", columns=columns, rows=rows[:ROWS], total=len(rows))
    more = [
        RowsEvent(call="1", table_id="t", start=at, rows=rows[at : at + ROWS]) for at in range(ROWS, len(rows), ROWS)
    ]
    table_event = TableEvent(call="1", table=table)
    return Api([[started(), finished(), table_event, *more, *drawings, *said("Ahí está."), done()]])


async def drawn(page: Any) -> tuple[dict[str, str], dict[str, Any]]:
    """The path of each series, and the scale that stands at the axis."""
    await ask(page, "¿Cuánta?")
    await answered(page)
    await page.wait_for_selector(
        ".turn:last-child .chart svg [data-series], .chart svg .slice, .chart svg .tick", state="attached"
    )
    paths = await page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-series]')].map(one => [one.dataset.series, one.getAttribute('d')]))"
    )
    scale = await page.evaluate("({...document.querySelector('.chart .canvas svg').dataset})")
    return paths, {name: float(value) for name, value in scale.items()}


async def test_a_line_goes_through_the_tables_values_at_their_places_and_breaks_where_there_is_none(
    chromium: Any,
) -> None:
    async with scripted(chromium, answer(chart("line", "eolica", "solar"))) as page:
        paths, scale = await drawn(page)

    wind = points(paths["eolica"])
    assert [value(y, scale) for _, y in wind] == pytest.approx([10.5, 8.25, -3.0, 12.0], abs=0.02)
    assert [value(y, scale) for _, y in points(paths["solar"])] == pytest.approx([2.0, 7.5, 9.0], abs=0.02)
    assert paths["solar"].count("M") == 2
    first, *_, last = (x for x, _ in wind)
    assert [(x - first) / (last - first) for x, _ in wind] == pytest.approx([0, 0.2, 0.4, 1], abs=0.001)


async def test_stacked_areas_pile_up_to_the_sum(chromium: Any) -> None:
    rows: list[list[Cell]] = [[1, 10.0, 5.0], [2, 8.0, 7.0]]
    async with scripted(chromium, answer(chart("area", "eolica", "solar", stacked=True), rows=rows)) as page:
        paths, scale = await drawn(page)

    assert [value(y, scale) for _, y in points(paths["eolica"])] == pytest.approx([10, 8, 0, 0], abs=0.02)
    assert [value(y, scale) for _, y in points(paths["solar"])] == pytest.approx([15, 15, 8, 10], abs=0.02)


async def test_bars_stand_on_zero_and_end_at_the_value(chromium: Any) -> None:
    async with scripted(chromium, answer(chart("bar", "eolica", "solar"))) as page:
        paths, scale = await drawn(page)

    ends = bars(paths["eolica"])
    assert [value(top, scale) for _, top in ends] == pytest.approx([10.5, 8.25, -3.0, 12.0], abs=0.02)
    assert [value(base, scale) for base, _ in ends] == pytest.approx([0] * 4, abs=0.02)
    assert scale["low"] <= -3 < 12 <= scale["high"]


async def test_stacked_bars_pile_negative_values_downwards(chromium: Any) -> None:
    rows: list[list[Cell]] = [[1, 10.0, 5.0], [2, -8.0, 7.0], [3, -1.0, -2.0]]
    async with scripted(chromium, answer(chart("bar", "eolica", "solar", stacked=True), rows=rows)) as page:
        paths, scale = await drawn(page)

    told = [(round(value(base, scale), 1) + 0, round(value(top, scale), 1)) for base, top in bars(paths["solar"])]
    assert told == [(10, 15), (0, 7), (-1, -3)]


async def test_a_pie_has_the_share_of_each_row_and_refuses_what_has_none(chromium: Any) -> None:
    rows: list[list[Cell]] = [[1, 30.0, -1.0], [2, 10.0, 1.0]]
    async with scripted(chromium, answer(chart("pie", "eolica"), rows=rows)) as page:
        await drawn(page)
        shares = await page.evaluate("[...document.querySelectorAll('.slice')].map(one => Number(one.dataset.share))")
        await page.focus(".canvas")
        await page.keyboard.press("End")
        told = await page.inner_text(".readout")
    async with scripted(chromium, answer(chart("pie", "solar"), rows=rows)) as page:
        await drawn(page)
        refused = await page.text_content(".chart .canvas svg")

    assert shares == pytest.approx([0.75, 0.25])
    assert told == "Mes 2 · Eólica: 10 GWh · 25 %"
    assert "no puede mostrar estos valores" in refused


async def test_arrows_read_the_points_one_by_one_as_the_table_spells_them(chromium: Any) -> None:
    told = []
    async with scripted(chromium, answer(chart("line", "eolica", "solar"))) as page:
        await drawn(page)
        name = await page.get_attribute(".canvas", "aria-label")
        await page.focus(".canvas")
        for key in ("ArrowRight", "ArrowRight", "End", "ArrowLeft", "Home"):
            await page.keyboard.press(key)
            told.append(await page.inner_text(".readout"))

        assert await page.get_attribute(".readout", "role") == "status"
    assert name.startswith("Producción. Gráfico de líneas de Eólica (GWh), Solar por Mes, 4 puntos.")
    assert told == [
        "Mes 1 · Eólica: 10,50 GWh · Solar: 2,0",
        "Mes 2 · Eólica: 8,25 GWh · Solar: —",
        "Mes 6 · Eólica: 12,00 GWh · Solar: 9,0",
        "Mes 3 · Eólica: -3,00 GWh · Solar: 7,5",
        "Mes 1 · Eólica: 10,50 GWh · Solar: 2,0",
    ]


async def test_dates_stand_as_far_apart_as_they_are(chromium: Any) -> None:
    columns = (Column(key="mes", title="Día", type="date"), COLUMNS[1])
    rows: list[list[Cell]] = [["2026-01-01", 1.0], ["2026-01-02", 2.0], ["2026-01-11", 3.0]]
    async with scripted(chromium, answer(chart("line", "eolica"), rows=rows, columns=columns)) as page:
        paths, _ = await drawn(page)
        ticks = await page.locator(".tick").all_text_contents()

    first, second, last = (x for x, _ in points(paths["eolica"]))
    assert (second - first) / (last - first) == pytest.approx(0.1, abs=0.001)
    assert "01/01/2026" in ticks


async def test_a_line_of_fifty_thousand_points_keeps_its_highest_and_lowest(chromium: Any) -> None:
    rows: list[list[Cell]] = [[n, float(n % 100), 0.0] for n in range(50_000)]
    rows[31_415][1], rows[27_182][1] = 500.0, -500.0
    async with scripted(chromium, answer(chart("line", "eolica"), rows=rows)) as page:
        paths, scale = await drawn(page)
        await page.wait_for_selector(".canvas[aria-label*='50.000 puntos']")
        paths, scale = await drawn_again(page)

    heights = [value(y, scale) for _, y in points(paths["eolica"])]
    assert len(heights) < 10_000
    assert (max(heights), min(heights)) == pytest.approx((500, -500), abs=0.5)


async def drawn_again(page: Any) -> tuple[dict[str, str], dict[str, Any]]:
    path = await page.get_attribute("[data-series=eolica]", "d")
    scale = await page.evaluate("({...document.querySelector('.chart .canvas svg').dataset})")
    return {"eolica": path}, {name: float(number) for name, number in scale.items()}


async def test_any_table_can_be_drawn_in_any_way(chromium: Any) -> None:
    tables: list[list[list[Cell]]] = [[], [[1, None, None]], [[1, 0.0, 0.0]], [[1, 5.0, 1.0]], [[1, 1e300, 1e-300]]]
    kinds = [chart(kind, "eolica", "solar") for kind in ("line", "area", "bar", "pie")]
    scripts = [script for rows in tables for script in answer(*kinds, rows=rows).scripts]
    async with scripted(chromium, Api(scripts)) as page:
        for _ in tables:
            await drawn(page)
        shapes = await page.evaluate(
            "[...document.querySelectorAll('.chart svg [d]')].map(one => one.getAttribute('d')).join()"
        )

    assert "NaN" not in shapes
    assert "Infinity" not in shapes
