"""Tables in a real browser: the cells are the event's, however they are sorted, filtered and taken along."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.tzzr_mcp.gateway.page.browsing import MARKS, answered, ask, scripted
from tests.tzzr_mcp.gateway.page.scripted import Api, done, finished, said, started
from tzzr_mcp.gateway.events import ROWS, Cell, Column, Event, RowsEvent, Table, TableEvent
from tzzr_mcp.seams import Dice

pytestmark = MARKS
COLUMNS = (
    Column(key="quien", title="Quién", type="text"),
    Column(key="cuanto", title="Importe", type="number", unit="€"),
    Column(key="año", title="Año", type="integer"),
    Column(key="cuando", title="Fecha", type="date"),
    Column(key="valido", title="Válido", type="boolean"),
)
PEOPLE: list[list[Cell]] = [
    ["Íñigo", 1250.5, 2024, "2026-03-09", True],
    ["ana", -3.25, 2025, "2025-12-31", False],
    ["=HYPERLINK(1)", 0.1, 12345, "sin fecha", None],
    ['Zoe, "la jefa"', 1e-7, 3, "2026-01-01", True],
    ["Ángel\nde dos líneas", None, None, None, None],
]


def table(rows: Sequence[list[Cell]], columns: Sequence[Column] = COLUMNS) -> list[Event]:
    """A table as the gateway sends it: in slices."""
    whole = Table(id="t", title="Quién cobra", columns=tuple(columns), rows=list(rows[:ROWS]), total=len(rows))
    slices = range(ROWS, len(rows), ROWS)
    return [
        TableEvent(call="1", table=whole),
        *(RowsEvent(call="1", table_id="t", start=at, rows=list(rows[at : at + ROWS])) for at in slices),
    ]


def answer(*events: Event) -> Api:
    return Api([[started(), finished(), *events, *said("Ahí está."), done()]])


def spanish(value: Cell, column: Column, decimals: int = 0) -> str:
    """A cell as a person in Spain reads it, without a digit more or less."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "sí" if value else "no"
    if isinstance(value, (int, float)):
        return _number(value, column, decimals)
    parts = value.split("-")
    dated = column.type == "date" and len(parts) == 3
    return "/".join(reversed(parts)) if dated else value


def _number(value: float, column: Column, decimals: int) -> str:
    written = repr(value)
    if "e" in written:
        return written.replace("e-0", "e-").replace(".", ",")
    exact = Decimal(written).normalize()
    places = max(decimals, -int(exact.as_tuple().exponent), 0)
    text = f"{exact:,.{places}f}".translate({44: ".", 46: ","})
    return text.replace(".", "") if column.type == "integer" and len(text) == 5 else text


async def cells(page: Any) -> list[list[str]]:
    found: list[list[str]] = await page.evaluate(
        "[...document.querySelectorAll('tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return found


async def test_every_cell_is_the_one_of_the_event_in_spanish(chromium: Any) -> None:
    async with scripted(chromium, answer(*table(PEOPLE))) as page:
        await ask(page, "¿Quién?")
        await answered(page)
        drawn = await cells(page)
        heads = await page.locator("th").all_inner_texts()

    assert [head.strip() for head in heads] == ["Quién", "Importe (€)", "Año", "Fecha", "Válido"]
    expected = [
        [spanish(cell, column, 2 if column.key == "cuanto" else 0) for cell, column in zip(row, COLUMNS, strict=True)]
        for row in PEOPLE
    ]
    assert drawn == expected
    assert drawn[0] == ["Íñigo", "1.250,50", "2024", "09/03/2026", "sí"]


async def test_numbers_lose_and_gain_no_digit(chromium: Any) -> None:
    dice = Dice(7)
    sizes = [(10 ** dice.integer(0, 12), dice.integer(0, 9)) for _ in range(600)]
    numbers = [round((2 * dice.random() - 1) * size, places) or 0.0 for size, places in sizes]
    async with scripted(chromium, Api()) as page:
        drawn = await page.evaluate(
            "async (all) => { const { numberText } = await import('/page/format.js'); return all.map((one) => numberText(one)); }",
            numbers,
        )
    assert drawn == [spanish(number, COLUMNS[1]) for number in numbers]


async def test_the_keyboard_sorts_up_down_and_back_with_empty_cells_last(chromium: Any) -> None:
    orders = []
    async with scripted(chromium, answer(*table(PEOPLE))) as page:
        await ask(page, "¿Quién?")
        await answered(page)
        await page.focus("th:nth-child(2) button")
        for _ in range(3):
            await page.keyboard.press("Enter")
            await page.wait_for_timeout(60)
            orders.append(
                (await page.get_attribute("th:nth-child(2)", "aria-sort"), [row[1] for row in await cells(page)])
            )
        await page.click("th:nth-child(1) button")
        await page.wait_for_timeout(60)
        names = [row[0] for row in await cells(page)]

    assert orders == [
        ("ascending", ["-3,25", "1e-7", "0,10", "1.250,50", "—"]),
        ("descending", ["1.250,50", "0,10", "1e-7", "-3,25", "—"]),
        (None, ["1.250,50", "-3,25", "0,10", "1e-7", "—"]),
    ]
    assert names == ["=HYPERLINK(1)", "ana", "Ángel\nde dos líneas", "Íñigo", 'Zoe, "la jefa"']


async def test_fifty_thousand_rows_are_sorted_filtered_and_leafed_through(chromium: Any) -> None:
    rows: list[list[Cell]] = [[f"fila {n}", n / 4, n, "2026-01-01", n % 2 == 0] for n in range(50_000)]
    async with scripted(chromium, answer(*table(rows))) as page:
        await ask(page, "¿Todas?")
        await page.wait_for_selector(".turn:last-child .answer[aria-busy=false]", timeout=30_000)
        await page.wait_for_selector(".count:has-text('50.000')")
        drawn = await page.locator("tbody tr").count()
        foot = await page.inner_text(".count")
        await page.click("[aria-label='Última página']")
        last = (await cells(page))[-1]
        started_at = await page.evaluate("performance.now()")
        await page.click("th:nth-child(2) button")
        await page.click("th:nth-child(2) button")
        await page.wait_for_selector("tbody tr:first-child td:has-text('fila 49999')")
        sorting = await page.evaluate("performance.now()") - started_at
        await page.fill("input[type=search]", "12.499,75")
        await page.wait_for_selector(".count:text-is('1 fila de 50.000')")
        found = await cells(page)
        await page.fill("input[type=search]", "nada de esto")
        await page.wait_for_selector("td.empty")

        assert "Ninguna fila contiene «nada de esto»." in await page.inner_text("tbody")
    assert drawn == 10
    assert foot == "1–10 de 50.000 filas"
    assert last == ["fila 49999", "12.499,75", "49.999", "01/01/2026", "no"]
    assert found == [last]
    assert sorting < 5000


async def test_leafing_with_the_keyboard_keeps_the_focus_at_the_last_page(chromium: Any) -> None:
    rows: list[list[Cell]] = [[f"fila {n}", n, n, None, None] for n in range(25)]
    async with scripted(chromium, answer(*table(rows))) as page:
        await ask(page, "¿Todas?")
        await answered(page)
        await page.focus("[aria-label='Página siguiente']")
        for _ in range(4):
            await page.keyboard.press("Enter")
        foot = await page.inner_text(".count")
        held = await page.evaluate("document.activeElement.getAttribute('aria-label')")
        off = await page.get_attribute("[aria-label='Página siguiente']", "aria-disabled")
        await page.select_option(".leaves select", "25")

        assert await page.inner_text(".count") == "25 filas"
    assert (foot, held, off) == ("21–25 de 25 filas", "Página siguiente", "true")


async def saved(page: Any, button: str, folder: Path) -> tuple[str, str]:
    async with page.expect_download() as coming:
        await page.click(f"button[aria-label='Descargar {button}']")
    file = await coming.value
    await file.save_as(folder / file.suggested_filename)
    return file.suggested_filename, (folder / file.suggested_filename).read_bytes().decode()


async def test_a_csv_file_has_source_and_date_on_top_and_the_rows_as_they_are(chromium: Any, tmp_path: Path) -> None:
    async with scripted(chromium, answer(*table(PEOPLE)), accept_downloads=True) as page:
        await ask(page, "¿Quién?")
        await answered(page)
        name, text = await saved(page, "CSV", tmp_path)

    lines = text.split("\r\n")
    assert name == "quien-cobra.csv"
    assert lines[:5] == [
        "\ufeff# Tabla: Quién cobra",
        "# Fuente: Balance energético (datos simulados)",
        "# Consultado: 2026-01-04T10:00:00.130000Z",
        "# Dirección: https://datos.example/energia",
        "# Licencia: CC BY 4.0",
    ]
    heads, *rows = csv.reader(io.StringIO("\r\n".join(lines[5:]), newline=""))
    assert heads == ["Quién", "Importe (€)", "Año", "Fecha", "Válido"]
    assert rows[0] == ["Íñigo", "1250.5", "2024", "2026-03-09", "true"]
    assert [row[0] for row in rows[1:4]] == ["ana", "'=HYPERLINK(1)", 'Zoe, "la jefa"']
    assert rows[1][1] == "-3.25"
    assert rows[4] == ["Ángel\nde dos líneas", "", "", "", ""]


async def test_a_json_file_is_the_table_of_the_event_and_says_what_was_filtered(chromium: Any, tmp_path: Path) -> None:
    many = PEOPLE * 3
    async with scripted(chromium, answer(*table(many)), accept_downloads=True) as page:
        await ask(page, "¿Quién?")
        await answered(page)
        whole = json.loads((await saved(page, "JSON", tmp_path))[1])
        await page.fill("input[type=search]", "INIGO 1.250,50")
        await page.wait_for_selector(".count:has-text('3 filas de 15')")
        part = json.loads((await saved(page, "JSON", tmp_path))[1])

    assert whole["table"]["rows"] == many
    assert [column["key"] for column in whole["table"]["columns"]] == [column.key for column in COLUMNS]
    assert (whole["source"]["name"], whole["source"]["simulated"]) == ("Balance energético", True)
    assert "filter" not in whole
    assert part["filter"] == {"text": "INIGO 1.250,50", "rows": 3, "of": 15}
    assert part["table"]["rows"] == [PEOPLE[0]] * 3


async def test_the_clipboard_gets_the_rows_that_are_shown_in_their_order(chromium: Any) -> None:
    async with scripted(chromium, answer(*table(PEOPLE)), permissions=["clipboard-read", "clipboard-write"]) as page:
        await ask(page, "¿Quién?")
        await answered(page)
        await page.click("th:nth-child(3) button")
        await page.click("text=Copiar CSV")
        await page.wait_for_selector("button:text-is('Copiado')")
        text = await page.evaluate("navigator.clipboard.readText()")

    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [row[2] for row in rows] == ["Año", "3", "2024", "2025", "12345", ""]


async def test_a_cell_is_text_and_a_table_without_rows_says_so(chromium: Any) -> None:
    evil = "<img src=x onerror=\"document.title='owned'\">"
    rows: list[list[Cell]] = [[evil, 1, 1, evil, None]]
    async with scripted(chromium, answer(*table(rows))) as page:
        await ask(page, "¿Quién?")
        await answered(page)

        assert (await cells(page))[0][0] == evil
        assert await page.title() == "TZZR"
    async with scripted(chromium, answer(*table([]))) as page:
        await ask(page, "¿Quién?")
        await answered(page)

        assert await cells(page) == [["La tabla no tiene filas."]]
