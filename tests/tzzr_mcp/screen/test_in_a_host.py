"""The page in a real browser, inside a sandboxed frame of a minimal host: what is drawn is what the tool returned."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any

import pytest
from mcp import Client
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from tests.tzzr_mcp.drawing.reading import heights
from tests.tzzr_mcp.screen.hosting import BROWSER, an_output, chromium, hosted, result_of
from tzzr_mcp.output import Chart, Column, Link, Notice, Table
from tzzr_mcp.server import build_server, discover

pytestmark = BROWSER
__all__ = ["chromium"]  # a fixture

EVIL = "<script>window.top.evil = 1</script><img src=x onerror=alert(1)>"
MIXED = Table(
    "mixta",
    "Tabla <b>mixta</b>",
    [
        Column("a", "Año", "integer"),
        Column("b", "Valor", "number", "GWh"),
        Column("c", "Sí", "boolean"),
        Column("d", "Texto"),
    ],
    [[2026, 12345.5, True, EVIL], [2024, -0.125, False, 'á, "b"\n=1+1'], [2025, None, None, "=HYPERLINK(1)"]],
)


async def served(tool: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The page that the server links to a tool, and the tool's result, as a host gets both."""
    apps = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})
    server = build_server(discover("finance"), {})
    async with server, Client(server.mcp, cache=None, extensions=[apps]) as client:
        meta = {each.name: each.meta or {} for each in (await client.list_tools()).tools}[tool]
        (content,) = (await client.read_resource(meta["ui"]["resourceUri"])).contents
        result = await client.call_tool(tool, arguments)
    html: str = content.model_dump()["text"]
    return html, result.model_dump(mode="json", by_alias=True, exclude_none=True)


def wanted(structured: dict[str, Any], chart: dict[str, Any]) -> dict[str, list[float]]:
    """The values at which a chart's series end, by column; stacked ones stand on those before them."""
    (table,) = [each for each in structured["tables"] if each["id"] == chart["table"]]
    place = {column["key"]: index for index, column in enumerate(table["columns"])}
    series = {key: [row[place[key]] for row in table["rows"] if row[place[key]] is not None] for key in chart["y"]}
    if not chart.get("stacked"):
        return series
    sums = itertools.accumulate(series.values(), lambda below, here: [*map(operator.add, below, here)])
    return dict(zip(series, sums, strict=True))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (
            "calculate_loan_amortization",
            {"principal": 250_000, "annualInterestRate": 12.5, "termMonths": 48, "extraMonthlyPayment": 1329},
        ),
        (
            "analyze_investment_projection",
            {
                "initialCapital": 50_000,
                "monthlyContribution": 100,
                "annualReturnRate": 11,
                "timeHorizonYears": 4,
                "riskProfile": "moderate",
            },
        ),
    ],
)
async def test_every_cell_and_every_mark_is_what_the_server_returned(
    chromium: Any, tool: str, arguments: dict[str, Any]
) -> None:
    html, result = await served(tool, arguments)
    structured = result["structuredContent"]
    async with hosted(chromium, html) as host:
        await host.shows(result)
        for table in structured["tables"]:
            await host.lengthens(table["id"])
            assert await host.cells(table["id"]) == table["rows"]
        for chart in structured["charts"]:
            paths, scale = await host.chart(chart["id"])
            tops = {key: heights(chart["kind"], path, scale) for key, path in paths.items()}
            assert {key: pytest.approx(values, rel=0.01) for key, values in wanted(structured, chart).items()} == tops
    assert structured["charts"]


def a_chart(
    number: int, kind: Any, y: list[str], rows: Sequence[Sequence[Any]], *, stacked: bool = False
) -> tuple[Table, Chart]:
    """A table of words and two columns of numbers, and a chart of it."""
    columns = [Column("x", "X"), Column("a", "A", "number", "GWh"), Column("b", "B", "number")]
    return Table(f"t{number}", "T", columns, rows), Chart(f"g{number}", "G", f"t{number}", kind, "x", y, stacked)


FEW: list[list[Any]] = [["uno", 1, 4.5], ["dos", None, 0], ["tres", 3, 1e-3]]
BELOW: list[list[Any]] = [["uno", -1, 4.5], ["dos", 2, -7], ["tres", 0, None]]
CHARTS = [
    a_chart(0, "line", ["a", "b"], FEW),
    a_chart(1, "area", ["a", "b"], FEW, stacked=True),
    a_chart(2, "bar", ["a", "b"], FEW, stacked=True),
    a_chart(3, "bar", ["b", "a"], BELOW),
    a_chart(4, "bar", ["a", "b"], BELOW, stacked=True),
    a_chart(5, "pie", ["b"], [["uno", 1, 4.5], ["dos", 2, 3]]),
    a_chart(6, "pie", ["a"], BELOW),
    a_chart(7, "pie", ["a"], [["solo", 9, 1]]),
    a_chart(8, "line", ["a"], [["solo", 9, 1]]),
    a_chart(9, "line", ["a"], [["uno", None, 1], ["dos", None, 1]]),
    a_chart(10, "line", ["a"], [["uno", 1e12, 1], ["dos", 1e12, 1]]),
    a_chart(11, "bar", ["a"], [["uno", 1e-9, 1], ["dos", 3e-9, 1]]),
]


async def test_charts_of_every_kind_are_drawn_within_their_frame(chromium: Any) -> None:
    output = an_output(tables=[table for table, _ in CHARTS], charts=[chart for _, chart in CHARTS])
    attributes = """all => all.flatMap(one => [...one.attributes].map(each => each.value))
                              .filter(value => /NaN|undefined|Infinity/.test(value))"""
    outside = """all => all.filter(one => {
        const [mark, frame] = [one.getBoundingClientRect(), one.closest('svg').getBoundingClientRect()];
        return mark.left < frame.left - 1 || mark.right > frame.right + 1
            || mark.top < frame.top - 1 || mark.bottom > frame.bottom + 1; }).map(one => one.outerHTML)"""
    async with hosted(chromium) as host:
        await host.shows(result_of(output))
        await host.frame.wait_for_selector("[data-chart=g11] svg [data-series]")
        assert await host.frame.locator(".canvas svg:has(.fill, .line, .area, .slice, .tick)").count() == len(CHARTS)
        assert await host.frame.eval_on_selector_all("svg *", attributes) == []
        assert await host.frame.eval_on_selector_all(".canvas svg text, .canvas svg path", outside) == []


async def test_a_chart_without_rows_says_so_and_one_of_very_many_is_drawn_all_the_same(chromium: Any) -> None:
    none = a_chart(0, "bar", ["a"], [])
    many = a_chart(1, "bar", ["a"], [[f"n{number}", number, 0] for number in range(2_000)])
    output = an_output(tables=[none[0], many[0]], charts=[none[1], many[1]])
    async with hosted(chromium) as host:
        await host.shows(result_of(output))
        await host.frame.wait_for_selector("[data-chart=g1] [data-series]", state="attached")
        assert "No hay datos para dibujar «G»." in await host.texts("main > p")
        told = await host.frame.locator("#told").text_content()
    assert told == "Resultado: 2 gráficos y 2 tablas."


async def test_text_is_text_wherever_it_stands(chromium: Any) -> None:
    output = an_output(
        EVIL,
        tables=[MIXED],
        charts=[Chart("g", EVIL, "mixta", "bar", "d", ["b"])],
        links=[Link(EVIL, "tzzr://x/<b>")],
        notice=Notice("warning", EVIL),
    )
    async with hosted(chromium) as host:
        await host.shows(result_of(output))
        assert await host.frame.locator("#result script, #result img, #result b").count() == 0
        assert (await host.texts("[data-table=mixta] tbody tr:first-child td:last-child")) == [EVIL]
        assert (await host.texts(".notice")) == [EVIL]
        assert (await host.texts("figcaption")) == [EVIL]
        assert await host.page.evaluate("window.evil") is None


async def test_cells_are_written_as_spanish_writes_them_and_hold_every_digit(chromium: Any) -> None:
    async with hosted(chromium) as host:
        await host.shows(result_of(an_output(tables=[MIXED])))
        first, second, third = await host.texts("[data-table=mixta] tbody tr")
    assert first.split("\t")[:3] == ["2026", "12.345,500", "sí"]
    assert second.split("\t")[:3] == ["2024", "-0,125", "no"]
    assert third.split("\t")[:3] == ["2025", "—", "—"]


async def test_a_head_sorts_up_and_down_and_back_with_what_is_missing_last(chromium: Any) -> None:
    async with hosted(chromium) as host:
        await host.shows(result_of(an_output(tables=[MIXED])))
        head, years = host.frame.locator("th", has_text="Valor"), {}
        for order in ("[aria-sort=ascending]", "[aria-sort=descending]", ":not([aria-sort])"):
            await head.get_by_role("button").press("Enter")
            await host.frame.locator(f"th{order}", has_text="Valor").wait_for()  # the frame hears keys in its own time
            years[order] = [row[0] for row in await host.cells("mixta")]
    assert list(years.values()) == [[2024, 2026, 2025], [2026, 2024, 2025], [2026, 2024, 2025]]


async def test_the_csv_is_the_table_and_no_cell_of_it_is_a_formula(chromium: Any) -> None:
    async with hosted(chromium, permissions=[]) as host:
        await host.shows(result_of(an_output(tables=[MIXED])))
        csv = await host.frame.evaluate(
            """() => new Promise(resolve => {
                 document.addEventListener('copy', () => resolve(document.activeElement.value), {capture: true});
                 document.querySelector('.table .tools button').click();
               })"""
        )
    assert csv.split("\n") == [  # a text area's value has no carriage returns
        "Año,Valor (GWh),Sí,Texto",
        f"2026,12345.5,true,{EVIL}",
        '2024,-0.125,false,"á, ""b""',
        '=1+1"',
        "2025,,,'=HYPERLINK(1)",
        "",
    ]


async def test_a_long_table_is_shown_in_parts_and_filtered_and_sorted_as_a_whole(chromium: Any) -> None:
    columns = [Column("n", "N", "integer"), Column("t", "Texto")]
    result = result_of(an_output(tables=[Table("larga", "Larga", columns, [])]))
    async with hosted(chromium) as host:
        # 50,000 rows, made there: it is the page that is tried, not the way to it.
        await host.page.evaluate(
            """result => {
                 const rows = Array.from({ length: 50000 }, (_, number) => [number, `Fila número ${number}`]);
                 result.structuredContent.tables[0].rows = rows;
                 send({ method: "ui/notifications/tool-result", params: result });
               }""",
            result,
        )
        await host.frame.get_by_text("1–10 de 50.000 filas").wait_for()
        assert len(await host.cells("larga")) == 10
        await host.lengthens("larga")
        assert len(await host.cells("larga")) == 100
        await host.frame.locator("th button").first.press("Enter")
        await host.frame.locator("th[aria-sort=ascending]").wait_for()
        await host.frame.locator("th button").first.press("Enter")
        await host.frame.locator("th[aria-sort=descending]").wait_for()
        assert (await host.cells("larga"))[0] == [49_999, "Fila número 49999"]
        await host.frame.locator("input[type=search]").fill("NUMERO 4999")
        await host.frame.get_by_text("15 filas de 50.000").wait_for()
        found = [row[0] for row in await host.cells("larga")]
    assert found == [*range(49_999, 49_989, -1), 44_999, 34_999, 24_999, 14_999, 4_999]


async def test_source_notice_marks_and_links_are_shown_and_the_host_follows_the_links(chromium: Any) -> None:
    result = result_of(
        an_output(
            tables=[MIXED],
            links=[Link("Portal", "https://datos.example/1"), Link("Fichero", "tzzr://x/datos.csv", "text/csv")],
            notice=Notice("info", "Aviso para usted."),
        ),
        _meta={"tzzr/invented": True},
    )
    async with hosted(chromium) as host:
        await host.shows(result)
        (footer,) = await host.texts("footer")
        await host.frame.get_by_role("button", name="Portal").click()
        await host.frame.get_by_role("button", name="Fichero").click()
        await host.frame.wait_for_selector("pre")
        content = await host.texts("pre")
        opened, read = await host.heard("ui/open-link"), await host.heard("resources/read")
    assert "Fuente: Pruebas · conjunto de datos · consultado el 4 ene 2026" in footer
    assert "Contenido inventado" in footer
    assert (opened, read) == ([{"url": "https://datos.example/1"}], [{"uri": "tzzr://x/datos.csv"}])
    assert content == ["a,b\n<b>1</b>,2\n"]


async def test_a_host_that_follows_no_links_has_their_addresses_shown(chromium: Any) -> None:
    links = [Link("Portal", "https://datos.example/1"), Link("Truco", "javascript:alert(1)")]
    async with hosted(chromium, capabilities={}) as host:
        await host.shows(result_of(an_output(tables=[MIXED], links=links)))
        assert await host.texts(".links code") == ["https://datos.example/1", "javascript:alert(1)"]
        assert await host.frame.locator("a").count() == 0


async def test_an_error_and_a_result_without_tables_are_their_text(chromium: Any) -> None:
    async with hosted(chromium) as host:
        await host.shows({"content": [{"type": "text", "text": "No se pudo."}], "isError": True})
        assert await host.texts("[role=alert]") == ["No se pudo."]
        await host.shows(result_of(an_output("Solo texto.")))
        assert await host.texts(".words") == ["Solo texto."]


async def test_a_cancelled_call_is_told(chromium: Any) -> None:
    async with hosted(chromium) as host:
        await host.tells("ui/notifications/tool-cancelled", {"reason": "user"})
        await host.frame.get_by_text("La llamada se canceló.").wait_for()
        assert await host.frame.get_by_text("La llamada se canceló.").is_visible()


async def test_the_page_speaks_as_the_extension_says(chromium: Any) -> None:
    async with hosted(chromium) as host:
        (hello,) = await host.heard("ui/initialize")
        await host.tells("ui/resource-teardown", {"reason": "end"}, identity=7)
        await host.tells("nobody/knows", {}, identity=8)
        await host.page.wait_for_function("heard.some(message => message.id === 8)")
        answers = [
            each for each in await host.page.evaluate("heard") if each.get("id") in (7, 8) and "method" not in each
        ]
        order = [each["method"] for each in await host.page.evaluate("heard") if "method" in each]
        sizes = await host.heard("ui/notifications/size-changed")
    assert hello["protocolVersion"] == "2026-01-26"
    assert hello["appCapabilities"] == {"availableDisplayModes": ["inline", "fullscreen"]}
    assert answers[0] == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert answers[1]["error"]["code"] == -32601
    assert order[:2] == ["ui/initialize", "ui/notifications/initialized"]
    assert sizes[-1]["height"] > 0


async def test_the_theme_and_the_colours_are_the_host_s(chromium: Any) -> None:
    colours = {"--color-background-primary": "light-dark(#ffffff, #010203)"}
    read = "getComputedStyle(document.body).backgroundColor"
    async with hosted(chromium, context={"theme": "dark", "styles": {"variables": colours}}) as host:
        dark = await host.frame.evaluate(read)
        await host.tells("ui/notifications/host-context-changed", {"theme": "light"})
        await host.frame.wait_for_selector("[data-theme=light]", state="attached")
        light = await host.frame.evaluate(read)
    assert (dark, light) == ("rgb(1, 2, 3)", "rgb(255, 255, 255)")


async def test_nothing_is_wider_than_a_phone(chromium: Any) -> None:
    wide = Table("ancha", "Ancha", [Column(f"c{n}", f"Columna número {n}") for n in range(12)], [["x" * 200] * 12])
    async with hosted(chromium, viewport={"width": 360, "height": 640}) as host:
        await host.shows(result_of(an_output(tables=[wide])))
        assert await host.frame.evaluate("document.documentElement.scrollWidth") <= 360
