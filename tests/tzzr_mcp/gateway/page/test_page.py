"""The page as a whole: by keyboard, on a phone, light and dark, its panel of resources, and who may use it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_mcp.gateway.page.browsing import MARKS, answered, ask, scripted
from tests.tzzr_mcp.gateway.page.scripted import Api, Hold, done, finished, said, started
from tests.tzzr_mcp.gateway.page.test_table import PEOPLE, table
from tzzr_mcp.gateway.events import Link, LinksEvent

pytestmark = MARKS


def answer(text: str = "Doce.") -> Api:
    links = LinksEvent(call="1", links=(Link(title="Los datos", uri="datos://energia"),))
    return Api([[started(), finished(), *table(PEOPLE * 3), links, *said(text), done(text)] for _ in range(3)])


async def focused(page: Any) -> str:
    name: str = await page.evaluate(
        "(one => one.getAttribute('aria-label') || one.labels?.[0]?.textContent.trim() || one.textContent.trim())(document.activeElement)"
    )
    return name


async def test_suggestions_come_from_the_catalogue_and_are_asked_by_keyboard(chromium: Any) -> None:
    api = answer()
    async with scripted(chromium, api) as page:
        offered = await page.locator("#suggestions button").all_inner_texts()
        catalogue = await page.locator("#catalogue li").all_text_contents()
        await page.focus("#suggestions button")
        await page.keyboard.press("Enter")
        await answered(page)

        assert await page.is_hidden("#welcome")
        assert await page.evaluate("document.activeElement.id") == "question"
    assert offered == ["¿Cuánta energía eólica se produjo?", "¿Y solar?"]
    assert catalogue[-1] == "RumoresNo declara de dónde proceden sus datos."
    assert api.asked[0]["messages"] == [{"role": "user", "content": "¿Cuánta energía eólica se produjo?"}]


async def test_tab_leads_through_everything_in_the_order_of_the_page(chromium: Any) -> None:
    async with scripted(chromium, answer()) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        await page.focus(".skip")
        passed = [await focused(page)]
        while passed[-1] != "Su pregunta" and len(passed) < 40:
            await page.keyboard.press("Tab")
            passed.append(await focused(page))

    assert passed[:4] == ["Ir a la pregunta", "Conversación nueva", "Recursos", "Tema"]
    rest = [name for name in passed if not name.startswith(("✓", "Balance"))]
    assert rest[4:] == [
        "Filtrar la tabla Quién cobra", "Copiar CSV", "Descargar CSV", "Descargar JSON", "Tabla: Quién cobra",
        "Quién", "Importe (€)", "Año", "Fecha", "Válido", "Primera página", "Página anterior", "Página siguiente",
        "Última página", "Filas por página", "Los datos", "Copiar la respuesta", "Su pregunta",
    ]  # fmt: skip


async def test_a_line_break_is_written_with_shift_and_a_slash_leads_back_to_the_question(chromium: Any) -> None:
    api = answer()
    async with scripted(chromium, api) as page:
        await page.focus("#resources-toggle")
        await page.keyboard.press("/")
        await page.keyboard.type("una")
        await page.keyboard.press("Shift+Enter")
        await page.keyboard.type("dos/tres")
        await page.keyboard.press("Enter")
        await answered(page)

    assert api.asked[0]["messages"][0]["content"] == "una\ndos/tres"


async def test_nothing_is_sent_without_a_question_and_a_new_conversation_forgets_the_old_one(chromium: Any) -> None:
    api = answer()
    async with scripted(chromium, api) as page:
        await ask(page, "   ")
        await page.fill("#question", "")
        await ask(page, "¿Cuánta?")
        await answered(page)
        await page.click("#restart")
        shown = await page.is_visible("#welcome")
        await ask(page, "¿Otra?")
        await answered(page)

    assert shown
    assert [len(asked["messages"]) for asked in api.asked] == [1, 1]


async def test_a_new_conversation_forgets_an_answer_that_was_under_way(chromium: Any) -> None:
    api = Api([[*said("Se produjeron"), Hold()], [*said("Sí."), done("Sí.")]])
    async with scripted(chromium, api) as page:
        await ask(page, "¿Cuánta?")
        await page.wait_for_selector(".prose:has-text('Se produjeron')")
        await page.click("#restart")
        await page.wait_for_selector("#send:visible")
        await ask(page, "¿Otra?")
        await answered(page)

    assert api.asked[1]["messages"] == [{"role": "user", "content": "¿Otra?"}]


@pytest.mark.parametrize("width", [360, 320])
async def test_nothing_is_wider_than_a_phone(chromium: Any, width: int) -> None:
    async with scripted(
        chromium, answer("palabra" * 30), viewport={"width": width, "height": 740}, has_touch=True
    ) as page:
        first = await page.evaluate("document.documentElement.scrollWidth")
        await ask(page, "pregunta" * 20)
        await answered(page)
        second = await page.evaluate("document.documentElement.scrollWidth")
        inside = await page.evaluate(
            "[...document.querySelectorAll('main *, header *, #composer *')].filter(one => !one.closest('.scroll, .unseen, pre')"
            " && one.getBoundingClientRect().right > innerWidth + 1).map(one => one.outerHTML.slice(0, 80))"
        )
        small = await page.evaluate(
            "[...document.querySelectorAll('button, select')].filter(one => one.offsetHeight && one.offsetHeight < 24).length"
        )
        await page.click("#resources-toggle")
        await page.wait_for_selector("#resources-list li")
        covers = await page.evaluate("document.querySelector('#resources').getBoundingClientRect().width")

    assert (first, second, covers) == (width, width, width)
    assert inside == []
    assert small == 0


CONTRAST = """() => {
  const parsed = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255).map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, place) => sum + one * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (one) => { for (; one; one = one.parentElement) { const colour = parsed(getComputedStyle(one).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour; } return [255, 255, 255]; };
  const found = [];
  for (const one of document.querySelectorAll('body *')) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !one.offsetHeight || one.getAttribute('aria-disabled') === 'true') continue;
    const [high, low] = [light(parsed(getComputedStyle(one).color)), light(behind(one))].sort((a, b) => b - a);
    if ((high + 0.05) / (low + 0.05) < 4.5) found.push(`${one.tagName}.${one.className} ${one.textContent.slice(0, 20)} ${(high + 0.05) / (low + 0.05)}`);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_text_stands_out_from_its_ground(chromium: Any, scheme: Any) -> None:
    async with scripted(chromium, answer(), color_scheme=scheme) as page:
        first = await page.evaluate(CONTRAST)
        await ask(page, "¿Cuánta?")
        await answered(page)
        await page.click(".steps summary")
        await page.click("#resources-toggle")
        await page.wait_for_selector("#resources-list li")
        second = await page.evaluate(CONTRAST)

    assert first + second == []


async def test_the_theme_follows_the_system_until_the_person_chooses_and_is_remembered(chromium: Any) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    async with scripted(chromium, answer(), color_scheme="light") as page:
        light = await page.evaluate(colour)
        await page.emulate_media(color_scheme="dark")
        dark = await page.evaluate(colour)
        await page.select_option("#theme", "light")
        chosen = await page.evaluate(colour)
        await page.reload()
        kept = await page.evaluate(colour)

        assert await page.input_value("#theme") == "light"
    assert light != dark
    assert chosen == kept == light


async def test_resources_are_browsed_opened_as_a_table_and_taken_along(chromium: Any, tmp_path: Path) -> None:
    async with scripted(chromium, answer(), accept_downloads=True) as page:
        await page.focus("#resources-toggle")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#resources-list li")
        listed = await page.locator("#resources-list strong").all_inner_texts()
        first = await focused(page)
        await page.click("[aria-label='Abrir datos://energia']")
        await page.wait_for_selector("#resource table")
        rows = await page.locator("#resource tbody tr").all_inner_texts()
        told = await page.inner_text("#resource")
        async with page.expect_download() as coming:
            await page.click("#resource [aria-label='Descargar datos://energia']")
        file = await coming.value
        await file.save_as(tmp_path / "file")
        await page.keyboard.press("Escape")

        assert await page.is_hidden("#resources")
        assert await page.evaluate("document.activeElement.id") == "resources-toggle"
    assert listed == ["Energía", "Un año"]
    assert first == "Recursos de datos abiertos"
    assert [row.split() for row in rows] == [["2024", "10,5"], ["2025", "—"]]
    assert "Fuente: datos://energia · conjunto de datos · consultado el" in told
    assert (file.suggested_filename, (tmp_path / "file").read_bytes()[:6]) == ("datos-energia.json", b'{"uri"')


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("a,b\r\n1,2.5\r\n-3,\r\n", [["a", "b"], [1, 2.5], [-3, None]]),
        ("\ufeff# fuente: x\n\nnombre;nota\n\"Uno; \"\"dos\"\"\";\"a\nb\"\n007;x\n", [["nombre", "nota"], ['Uno; "dos"', "a\nb"], ["007", "x"]]),
        ("solo\nuno\ndos", [["solo"], ["uno"], ["dos"]]),
        ("a,b\n1,2,3\n4,5", [["a", "b"], [4, 5]]),
        ("a,b\n12345678901234567890,1e3", [["a", "b"], ["12345678901234567890", "1e3"]]),
        ("año;valor\n2021;38,7\n2022;", [["año", "valor"], [2021, 38.7], [2022, None]]),
        ("# nada\n", []),
        ("", []),
    ],
)  # fmt: skip
async def test_a_csv_document_is_a_table(chromium: Any, text: str, drawn: list[list[Any]]) -> None:
    async with scripted(chromium, Api()) as page:
        tables = await page.evaluate(
            "async (text) => (await import('/page/document.js')).documentOf(text, 'text/csv').tables", text
        )

    assert [[[column["key"] for column in table["columns"]], *table["rows"]] for table in tables] == (
        [drawn] if drawn else []
    )


async def test_a_template_asks_for_what_stands_in_its_braces_and_a_failure_is_told(chromium: Any) -> None:
    async with scripted(chromium, answer()) as page:
        await page.click("#resources-toggle")
        await page.fill("#resources-list input", "2025/mal ")
        await page.press("#resources-list input", "Enter")
        await page.wait_for_selector("#resource .error")
        told = await page.inner_text("#resource")
        await page.fill("#resources-list input", "2 0/25")
        await page.press("#resources-list input", "Enter")
        await page.wait_for_selector("#resource h3")

        assert await page.inner_text("#resource h3") == "datos://año/2%200%2F25"
    assert told == "No existe ese recurso."


async def test_a_link_of_an_answer_opens_its_resource_in_the_panel(chromium: Any) -> None:
    async with scripted(chromium, answer()) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        await page.click("button:text-is('Los datos')")
        await page.wait_for_selector("#resource table")
        await page.click("#resources-close")

        assert await focused(page) == "Los datos"


async def test_a_token_is_taken_from_behind_the_hash_and_leaves_the_address(chromium: Any) -> None:
    api = answer()
    api.token = "s3creto"
    async with scripted(chromium, api, "/#token=s3creto") as page:
        assert await page.locator("#suggestions button").count() == 2
        assert "s3creto" not in page.url


async def test_without_the_token_the_page_asks_for_it(chromium: Any) -> None:
    api = answer()
    api.token = "s3creto"
    async with scripted(chromium, api) as page:
        told = await page.inner_text("#trouble")
        await page.wait_for_selector("#token[open]")
        await page.keyboard.type("s3creto")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#suggestions button")

        assert await page.is_hidden("#trouble")
    assert told == "Hace falta la clave de acceso."


async def test_the_head_stays_and_each_question_comes_to_the_top(chromium: Any) -> None:
    async with scripted(chromium, answer("Una palabra. " * 90)) as page:
        places = []
        for _ in range(3):
            await ask(page, "¿Cuánta?")
            await answered(page)
            await page.wait_for_timeout(600)
            places.append(
                await page.evaluate(
                    "[document.querySelector('header').getBoundingClientRect().top, Math.round(document.querySelector"
                    "('.turn:last-child').getBoundingClientRect().top - document.querySelector('main').getBoundingClientRect().top)]"
                )
            )

    assert [head for head, _ in places] == [0, 0, 0]
    assert [turn for _, turn in places[1:]] == [0, 0]
