"""OCR: what a file carries is read, what it does not is invented and marked, and what is no image is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tzzr_mocks.grace.engines import Answer, EngineError, ocr_local

from .files import jpeg, pdf, png, tiff
from .laws import ask

MODULES = ("OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI")


@pytest.fixture(autouse=True)
def _no_local_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """These rules are those of a machine without the extra ``[local]``."""
    monkeypatch.setattr(ocr_local, "is_installed", lambda: False)


def read(content: bytes, media_type: str, module: str = "OCR_LOCAL", **params: Any) -> Answer:
    return ask(module, content, media_type=media_type, **params)


def test_the_text_chunk_of_a_png_is_what_it_says() -> None:
    answer = read(png("Factura 12\nTotal: 121,00 €"), "image/png")
    assert answer.result["text"] == "Factura 12\nTotal: 121,00 €"
    assert answer.result["language"] == "es"
    assert [(page["width_px"], page["height_px"]) for page in answer.result["pages"]] == [(120, 80)]
    assert not answer.invented


def test_the_comment_of_a_jpeg_is_what_it_says() -> None:
    answer = read(jpeg("Albarán de entrega"), "image/jpeg")
    assert (answer.result["text"], answer.invented) == ("Albarán de entrega", False)


def test_the_text_layer_of_a_pdf_is_read_page_by_page() -> None:
    answer = read(pdf("Primera hoja", "Segunda hoja"), "application/pdf")
    assert answer.result["text"] == "Primera hoja\n\f\nSegunda hoja"
    assert [(page["page"], page["width_px"], page["height_px"]) for page in answer.result["pages"]] == [
        (1, 595, 842),
        (2, 595, 842),
    ]


def test_pages_are_chosen_in_the_order_of_the_file() -> None:
    answer = read(pdf("Uno", "Dos", "Tres"), "application/pdf", pages=[3, 1])
    assert [page["text"] for page in answer.result["pages"]] == ["Uno", "Tres"]


@pytest.mark.parametrize("pages", [[3], [0], [], ["1"], [True]])
def test_a_page_that_is_not_there_is_refused(pages: list[Any]) -> None:
    with pytest.raises(EngineError) as caught:
        read(pdf("Uno", "Dos"), "application/pdf", pages=pages)
    assert caught.value.code == "PARAMS_INVALID"


def test_every_page_of_a_tiff_has_its_own_size() -> None:
    pages = read(tiff((40, 50), (60, 70)), "image/tiff").result["pages"]
    assert [(page["width_px"], page["height_px"]) for page in pages] == [(40, 50), (60, 70)]


def test_what_the_file_does_not_carry_is_invented_and_marked() -> None:
    answer = read(png(), "image/png")
    assert answer.invented
    assert answer.result["text"]
    assert answer == read(png(), "image/png")
    assert answer.result["text"] != read(png(colour="black"), "image/png").result["text"]


def test_one_page_without_text_marks_the_whole_answer() -> None:
    answer = read(pdf("Primera hoja", ""), "application/pdf")
    assert answer.invented
    assert answer.result["pages"][0]["text"] == "Primera hoja"


def test_the_providers_differ_in_confidence_and_pace_alone() -> None:
    answers = [read(png("Hola a todos"), "image/png", module) for module in MODULES]
    assert len({answer.result["text"] for answer in answers}) == 1
    assert len({answer.confidence for answer in answers}) == len({answer.cost_ms for answer in answers}) == 3


@pytest.mark.parametrize("media_type", ["image/png", "image/jpeg", "image/tiff", "image/webp", "application/pdf"])
@settings(max_examples=25, deadline=None)
@given(
    content=st.one_of(
        st.binary(min_size=1, max_size=200), st.binary(max_size=40).map(lambda tail: b"%PDF-1.4\n" + tail)
    )
)
def test_bytes_that_are_no_image_are_corrupt_and_never_a_crash(media_type: str, content: bytes) -> None:
    with pytest.raises(EngineError) as caught:
        read(content, media_type)
    assert caught.value.code == "PAYLOAD_CORRUPT"


@settings(max_examples=25, deadline=None)
@given(kept=st.floats(0.05, 0.9))
@example(kept=0.3984375)  # the directory of a page without its dimensions
@example(kept=0.40625)  # and without its layout
def test_an_image_cut_short_is_corrupt(kept: float) -> None:
    whole = tiff((40, 40), (50, 50))
    with pytest.raises(EngineError) as caught:
        read(whole[: int(len(whole) * kept)], "image/tiff")
    assert caught.value.code == "PAYLOAD_CORRUPT"


def test_an_image_of_another_type_than_declared_is_corrupt() -> None:
    with pytest.raises(EngineError, match="they are PNG"):
        read(png(), "image/jpeg")


def test_a_type_that_is_no_image_is_unsupported_and_told_what_is() -> None:
    with pytest.raises(EngineError) as caught:
        read(png(), "image/gif")
    assert caught.value.code == "PAYLOAD_UNSUPPORTED"
    assert "application/pdf" in caught.value.details["accepted"]


@pytest.mark.parametrize(
    ("size", "colour", "said"),
    [((200, 100), "black", "apaisada"), ((100, 200), "black", "vertical"), ((99, 100), "black", "cuadrada"),
     ((10, 10), "white", "predomina el blanco"), ((10, 10), "#2850c8", "predomina el azul")],
)  # fmt: skip
def test_a_caption_tells_shape_size_and_colours(size: tuple[int, int], colour: str, said: str) -> None:
    result = ask("IMAGE_CAPTION", png(size=size, colour=colour), media_type="image/png").result
    assert said in result["caption"]
    assert f"{size[0]} × {size[1]} píxeles" in result["caption"]
    assert (result["width_px"], result["height_px"]) == size


def test_a_caption_of_a_pdf_is_unsupported() -> None:
    with pytest.raises(EngineError) as caught:
        ask("IMAGE_CAPTION", pdf("Hola"), media_type="application/pdf")
    assert caught.value.code == "PAYLOAD_UNSUPPORTED"
