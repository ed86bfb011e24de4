"""An answer in a real browser: words, notices, steps, sources, and what goes wrong."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.tzzr_mcp.gateway.page.browsing import MARKS, answered, ask, scripted
from tests.tzzr_mcp.gateway.page.scripted import Api, Hold, done, finished, said, started
from tzzr_mcp.gateway.events import (
    ErrorEvent,
    Event,
    Link,
    LinksEvent,
    Message,
    Notice,
    NoticeEvent,
    Requested,
    TextEvent,
)

pytestmark = MARKS
WORDS = "Se produjeron **12 GWh**.\n\n- eólica\n- solar\n\n1. uno\n\nUse `tzzr`."


async def test_words_are_drawn_as_they_are_meant_and_the_conversation_is_sent_back_as_it_was_given(
    chromium: Any,
) -> None:
    given = (
        Message(role="assistant", content="", calls=(Requested(id="1", name="energia", arguments={"año": 2025}),)),
        Message(role="tool", content="Se produjeron 12 GWh.", call="1"),
        Message(role="assistant", content=WORDS),
    )
    api = Api([[*said(WORDS), done().model_copy(update={"messages": given})], [*said("Sí."), done("Sí.")]])
    async with scripted(chromium, api) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        drawn = await page.evaluate("[...document.querySelector('.prose').children].map(one => one.outerHTML)")
        await ask(page, "¿Seguro?")
        await answered(page)

    assert drawn == [
        "<p>Se produjeron <strong>12 GWh</strong>.</p>",
        "<ul><li>eólica</li><li>solar</li></ul>",
        '<ol start="1"><li>uno</li></ol>',
        "<p>Use <code>tzzr</code>.</p>",
    ]
    asked = {"role": "user", "content": "¿Cuánta?"}
    sent = [message.model_dump(mode="json", exclude_none=True) for message in given]
    assert api.asked[0] == {"messages": [asked]}
    assert api.asked[1] == {"messages": [asked, *sent, {"role": "user", "content": "¿Seguro?"}]}


async def test_a_notice_stands_above_the_words_and_the_source_below_the_data(chromium: Any) -> None:
    notice = NoticeEvent(call="1", notice=Notice(level="warning", text="Se redondeó al céntimo."))
    links = LinksEvent(
        call="1",
        links=(Link(title="Portal", uri="https://datos.example/p"), Link(title="Trampa", uri="javascript:alert(1)")),
    )
    async with scripted(chromium, Api([[started(), finished(), notice, links, *said("Doce."), done()]])) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        order = await page.evaluate(
            "[...document.querySelectorAll('.notice, .prose, .source')].filter(one => one.offsetHeight)"
            ".map(one => one.className)"
        )
        source = await page.inner_text(".source")
        addresses = await page.evaluate("[...document.querySelectorAll('.evidence a')].map(one => [one.href, one.rel])")

        assert await page.inner_text(".notice.warning") == "Atención Se redondeó al céntimo."
        assert "Trampa: javascript:alert(1)" in await page.inner_text(".links")
    assert order == ["notice warning", "prose", "source"]
    assert source.startswith("Fuente: Balance energético")
    for part in ("conjunto de datos", "4 ene 2026, 11:00", "licencia CC BY 4.0", "datos simulados"):
        assert part in source
    assert addresses == [
        ["https://datos.example/p", "noopener noreferrer"],
        ["https://datos.example/energia", "noopener noreferrer"],
    ]


async def test_behind_a_fold_are_the_arguments_the_models_text_and_the_trace(chromium: Any) -> None:
    async with scripted(
        chromium, Api([[started(año=2025, fuente="eólica"), finished(), *said("Doce."), done()]])
    ) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        line = await page.inner_text(".steps summary")
        hidden = await page.locator(".folded").is_hidden()
        await page.focus(".steps summary")
        await page.keyboard.press("Enter")
        told = await page.inner_text(".folded")

    assert line.split() == ["✓", "Balance", "energético", "12", "ms"]
    assert hidden
    for part in ("energia", '"año": 2025', '"fuente": "eólica"', "Se produjeron 12 GWh.", "9f3c"):
        assert part in told


async def test_a_tool_that_failed_is_marked_and_the_answer_goes_on(chromium: Any) -> None:
    failed = finished(outcome="error", text="El servicio no responde.")
    async with scripted(chromium, Api([[started(), failed, *said("No se pudo."), done()]])) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)

        assert (await page.inner_text(".steps summary")).split() == ["✗", "Balance", "energético", "no", "se", "pudo"]
        assert await page.inner_text(".prose") == "No se pudo."


async def test_what_a_model_a_document_or_a_plugin_writes_is_text_and_never_markup(chromium: Any) -> None:
    evil = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> [a](javascript:1) ![b](//x)"
    events: list[Event] = [
        started(title=evil, texto=evil),
        finished(text=evil, trace_id=evil),
        NoticeEvent(notice=Notice(level="info", text=evil)),
        LinksEvent(call="1", links=(Link(title=evil, uri="https://datos.example/\"onclick='1'"),)),
        *said(f"{evil}\n\n```\n{evil}\n```\n\n- {evil}"),
        done(),
    ]
    async with scripted(chromium, Api([events])) as page:
        await ask(page, evil)
        await answered(page)
        await page.click(".steps summary")
        shown = {
            place: await page.inner_text(place)
            for place in (".question", ".notice.info", ".folded", ".links", ".prose pre")
        }
        made = await page.evaluate(
            "document.querySelectorAll('main img, main script, main [onerror], main [onclick]').length"
        )

        assert await page.title() == "TZZR"
        assert await page.locator(".prose a").count() == 0
    assert made == 0
    assert all("<script>document.title='owned'</script><img src=x" in text for text in shown.values())


async def test_a_model_that_fails_in_mid_stream_leaves_its_words_and_a_way_to_try_again(chromium: Any) -> None:
    failed = ErrorEvent(code="MODEL_CUT", message="El modelo dejó de responder a mitad.", retryable=True)
    end = done(stopped="error").model_copy(update={"messages": ()})
    api = Api([[*said("Se produjeron "), failed, end], [*said("Se produjeron 12 GWh."), done("Se produjeron 12 GWh.")]])
    async with scripted(chromium, api) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        told, kept = await page.inner_text("[role=alert]:visible"), await page.inner_text(".prose")
        await page.focus("text=Reintentar")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".turn:nth-child(2)")
        await answered(page)

        assert await page.inner_text(".turn:last-child .prose") == "Se produjeron 12 GWh."
    assert api.asked[0] == api.asked[1]
    assert "El modelo dejó de responder a mitad." in told
    assert kept.strip() == "Se produjeron"


async def test_a_stream_that_breaks_off_is_told_and_its_words_stay_in_the_conversation(chromium: Any) -> None:
    api = Api([[*said("Se produjeron")], [*said("Sí."), done("Sí.")]])
    async with scripted(chromium, api) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        told = await page.inner_text("[role=alert]:visible")
        await page.focus("#question")
        await ask(page, "Siga")
        await page.wait_for_selector(".turn:nth-child(2)")
        await answered(page)

    assert "se cortó antes de terminar" in told
    roles = [(message["role"], message["content"].split("\n")[0]) for message in api.asked[1]["messages"]]
    assert roles == [("user", "¿Cuánta?"), ("assistant", "Se produjeron"), ("user", "Siga")]


async def test_a_refusal_is_told_in_its_own_words_and_the_question_is_not_kept(chromium: Any) -> None:
    api = Api(refusal=(413, "La conversación es demasiado larga; empiece una nueva."))
    async with scripted(chromium, api) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        told = await page.inner_text("[role=alert]:visible")

        assert await page.locator("text=Reintentar").count() == 0
    assert "La conversación es demasiado larga; empiece una nueva." in told


async def test_escape_stops_the_answer_and_the_gateway_hears_of_it(chromium: Any) -> None:
    api = Api([[started(), *said("Se produjeron"), Hold()], [*said("Sí."), done()]])
    async with scripted(chromium, api) as page:
        await ask(page, "¿Cuánta?")
        await page.wait_for_selector(".prose:has-text('Se produjeron')")
        busy = await page.is_visible("#cancel")
        await page.keyboard.press("Escape")
        await answered(page)
        await asyncio.wait_for(api.left.wait(), 5)
        foot, step = await page.inner_text(".stopped"), await page.inner_text(".steps summary")
        await ask(page, "Siga")
        await page.wait_for_selector(".turn:nth-child(2)")
        await answered(page)

    assert busy
    assert "Respuesta detenida." in foot
    assert "interrumpida" in step
    assert api.asked[1]["messages"][1]["content"].startswith("Se produjeron")


async def test_the_button_stops_the_answer_too(chromium: Any) -> None:
    api = Api([[TextEvent(delta="Uno. "), Hold()]])
    async with scripted(chromium, api) as page:
        await ask(page, "¿Cuánta?")
        await page.wait_for_selector(".prose:has-text('Uno')")
        await page.click("#cancel")
        await answered(page)
        await asyncio.wait_for(api.left.wait(), 5)

        assert await page.evaluate("document.activeElement.id") == "question"


async def test_an_answer_that_met_a_limit_says_so(chromium: Any) -> None:
    async with scripted(chromium, Api([[*said("Hasta aquí."), done(stopped="limit")]])) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)

        assert "al llegar a un límite" in await page.inner_text(".stopped")


async def test_a_screen_reader_hears_whole_sentences_the_notice_and_the_end(chromium: Any) -> None:
    notice = NoticeEvent(notice=Notice(level="info", text="Ojo."))
    events: list[Event] = [notice, started(), finished(), *said("Se produjeron 1.250,5 GWh. Más que ayer"), done()]
    async with scripted(chromium, Api([events])) as page:
        await ask(page, "¿Cuánta?")
        await answered(page)
        heard = await page.evaluate("[...document.querySelectorAll('#announcer p')].map(one => one.textContent)")

        assert await page.get_attribute("#announcer", "aria-live") == "polite"
    assert heard == [
        "Aviso: Ojo.",
        "Consultando: Balance energético",
        "Se produjeron 1.250,5 GWh.",
        "Más que ayer",
        "Respuesta terminada",
    ]
