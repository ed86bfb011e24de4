"""Each text engine on texts whose answer a reader knows."""

from __future__ import annotations

import base64
import hashlib
import io
import math
import wave
from operator import mul
from pathlib import Path

import pytest

from tzzr_mocks.grace.engines import EngineError

from .laws import ask

DOCUMENTS = Path(__file__).parents[4] / "scenarios" / "documents"
MINUTES = (
    "La reunión del consejo se celebró el 3 de marzo de 2026 en Madrid. El Sr. García presentó los resultados, con un "
    "beneficio de 1.250.000,50 euros, un 12,5 % más que el año anterior. El consejo acordó repartir un dividendo de "
    "0,15 euros por acción. El consejo acordó estudiar la apertura de una oficina en Valencia. La próxima reunión del "
    "consejo será en junio. Hacía mucho calor aquel día."
)


@pytest.mark.parametrize("algorithm", ["sha256", "sha512", "sha3_256", "blake2b"])
def test_a_digest_is_that_of_the_bytes(algorithm: str) -> None:
    result = ask("HASHER", "año ✓", algorithm=algorithm).result
    assert result["digest"] == hashlib.new(algorithm, "año ✓".encode()).hexdigest()
    assert result["size_bytes"] == 8
    assert ask("HASHER", "año ✓".encode(), algorithm=algorithm).result == result


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("La factura debe abonarse antes del día quince de abril.", "es"),
        ("Bon dia, avui fa molt bon temps i anirem a la platja.", "ca"),
        ("Hoxe vai moi bo tempo e iremos á praia cos nenos.", "gl"),
        ("Egun on, zer moduz zaude? Gaur eguraldi ona egiten du.", "eu"),
        ("The invoice must be paid before the end of the month.", "en"),
        ("La facture doit être réglée avant la fin du mois.", "fr"),
        ("A fatura deve ser paga antes do fim do mês, não depois.", "pt"),
        ("La fattura deve essere pagata entro la fine del mese.", "it"),
        ("Die Rechnung muss bis zum Ende des Monats bezahlt werden.", "de"),
    ],
)
def test_a_sentence_is_told_by_its_language(text: str, language: str) -> None:
    result = ask("LANG_DETECT", text).result
    assert result["language"] == language
    assert result["confidence"] > 0.6


@pytest.mark.parametrize("text", ["1234 5678", "😀😀", "¿?"])
def test_what_has_no_letters_is_in_no_language(text: str) -> None:
    assert ask("LANG_DETECT", text).result == {"language": "und", "confidence": 0.0, "alternatives": []}


def test_two_letters_are_no_ground_for_confidence() -> None:
    assert ask("LANG_DETECT", "ok").result["confidence"] < 0.1


@pytest.mark.parametrize(
    ("folder", "category"), [("facturas", "factura"), ("contratos", "contrato"), ("reuniones", "acta")]
)
def test_the_scenarios_documents_are_classified(folder: str, category: str) -> None:
    for path in (DOCUMENTS / folder).glob("*.txt"):
        if not path.name.startswith("transcripcion"):
            answer = ask("CLASSIFIER", path.read_text(encoding="utf-8"))
            assert (path.name, answer.result["category"]) == (path.name, category)
            assert answer.result["confidence"] > 0.4


@pytest.mark.parametrize(
    ("text", "categories", "best"),
    [
        ("El equipo ganó el partido con dos goles", ["política", "deportes"], "deportes"),
        ("Facturas pendientes de pago", ["contract", "invoice", "other"], "invoice"),
        ("Las reclamaciones de los clientes crecen", ["pedidos", "reclamaciones"], "reclamaciones"),
    ],
)
def test_the_callers_categories_are_matched_by_stem_synonym_and_theme(
    text: str, categories: list[str], best: str
) -> None:
    assert ask("CLASSIFIER", text, categories=categories).result["category"] == best


def test_text_that_speaks_for_nothing_is_classified_without_confidence() -> None:
    assert ask("CLASSIFIER", "asdf qwer zxcv").confidence == 0.0


@pytest.mark.parametrize("categories", [["sola"], [f"c{number}" for number in range(51)]])
def test_too_few_or_too_many_categories_are_refused(categories: list[str]) -> None:
    with pytest.raises(EngineError, match="from 2 to 50"):
        ask("CLASSIFIER", "texto", categories=categories)


def test_a_summary_is_made_of_the_texts_own_sentences() -> None:
    summary = ask("SUMMARIZER", MINUTES, max_words=40).result["summary"]
    assert "consejo" in summary
    assert "calor" not in summary
    assert all(sentence.strip() in MINUTES for sentence in summary.split(". ") if sentence)


def test_bullets_are_one_sentence_a_line() -> None:
    lines = ask("SUMMARIZER", MINUTES, max_words=40, style="bullets").result["summary"].splitlines()
    assert len(lines) > 1
    assert all(line.startswith("- ") and line.removeprefix("- ") in MINUTES for line in lines)


def test_a_short_text_is_its_own_summary() -> None:
    result = ask("SUMMARIZER", "La reunión será mañana a las diez.").result
    assert result == {"summary": "La reunión será mañana a las diez.", "words": 7, "compression": 1.0}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("El servicio fue excelente, muy recomendable.", "positive"),
        ("No me gustó nada, un desastre.", "negative"),
        ("La factura vence el martes.", "neutral"),
        ("El producto es bueno pero llegó roto.", "negative"),
        ("No hay ningún problema, gracias.", "positive"),
        ("The service was not good at all.", "negative"),
    ],
)
def test_feeling_is_judged_with_negation_and_contrast(text: str, label: str) -> None:
    result = ask("SENTIMENT", text).result
    assert result["label"] == label
    assert -1 <= result["score"] <= 1


def test_similar_texts_lie_closer_than_different_ones() -> None:
    def likeness(one: str, other: str) -> float:
        (left,), (right,) = ask("EMBEDDINGS", one).result["vectors"], ask("EMBEDDINGS", other).result["vectors"]
        return math.fsum(map(mul, left, right))

    near = likeness("Contrato de alquiler de una vivienda", "Alquiler de viviendas: modelo de contrato")
    far = likeness("Contrato de alquiler de una vivienda", "Receta de bizcocho de limón")
    assert near > 0.5 > far


@pytest.mark.parametrize(
    ("text", "target", "translation"),
    [
        ("Hola, ¿qué tal?", "en", "Hello, how are you?"),
        ("La factura está pendiente de pago. Gracias.", "en", "The invoice is pending payment. Thank you."),
        ("Las facturas pendientes del cliente español", "en", "The pending invoices of the Spanish customer"),
        ("LA REUNIÓN EMPIEZA MAÑANA", "en", "THE MEETING BEGINS TOMORROW"),
        ("The pending invoices are in the new house.", "es", "Las facturas pendientes son en la casa nueva."),
        ("El ornitorrinco de María vive en Madrid", "en", "The ⟦ornitorrinco⟧ of María lives in Madrid"),
    ],
)
def test_a_translation_keeps_case_and_marks_what_it_does_not_know(text: str, target: str, translation: str) -> None:
    assert ask("TRANSLATOR", text, lang="auto", target_lang=target).result["text"] == translation


@pytest.mark.parametrize(
    ("word", "source", "translation"),
    [("hello", "en", "hola"), ("contract", "en", "contrato"), ("casa", "es", "casa"), ("house", "en", "casa")],
)
def test_one_word_is_of_the_language_whose_list_knows_it(word: str, source: str, translation: str) -> None:
    result = ask("TRANSLATOR", word, lang="auto", target_lang="es").result
    assert (result["source_lang"], result["text"]) == (source, translation)


@pytest.mark.parametrize("word", ["bonjour", "Haus", "xyz"])
def test_one_word_that_no_list_knows_is_taken_for_no_language(word: str) -> None:
    with pytest.raises(EngineError) as caught:
        ask("TRANSLATOR", word, lang="auto", target_lang="es")
    assert (caught.value.code, caught.value.details["supported"]) == ("LANG_UNSUPPORTED", ["en", "es"])


def test_unknown_words_lower_the_confidence() -> None:
    known = ask("TRANSLATOR", "la casa nueva", lang="es", target_lang="en").confidence
    unknown = ask("TRANSLATOR", "la zarzaparrilla nueva", lang="es", target_lang="en").confidence
    assert known == 1.0
    assert unknown is not None
    assert unknown < 1.0


@pytest.mark.parametrize(("lang", "target"), [("es", "fr"), ("ca", "es"), ("auto", "de")])
def test_another_language_is_refused_with_those_that_are_there(lang: str, target: str) -> None:
    with pytest.raises(EngineError) as caught:
        ask("TRANSLATOR", "Hola a todos", lang=lang, target_lang=target)
    assert caught.value.code == "LANG_UNSUPPORTED"
    assert caught.value.details["supported"] == ["en", "es"]


def test_speech_is_a_wav_as_long_as_its_text() -> None:
    short, long = (ask("TTS_ENGINE", text).result for text in ("Hola", "Hola a todos los presentes"))
    with wave.open(io.BytesIO(base64.b64decode(long["audio_base64"]))) as sound:
        assert sound.getnframes() / sound.getframerate() == pytest.approx(long["duration_s"])
    assert long["duration_s"] > short["duration_s"] > 0


def test_a_voice_that_does_not_exist_is_refused() -> None:
    with pytest.raises(EngineError, match="did you mean 'alba'"):
        ask("TTS_ENGINE", "Hola", voice="alva")


def test_a_text_too_long_to_speak_is_refused() -> None:
    with pytest.raises(EngineError) as caught:
        ask("TTS_ENGINE", "a" * 5000)
    assert caught.value.code == "PAYLOAD_TOO_LARGE"


@pytest.mark.parametrize("module", ["CLASSIFIER", "SUMMARIZER", "LANG_DETECT", "TTS_ENGINE", "FIELD_EXTRACTOR"])
def test_bytes_are_refused_where_text_is_wanted(module: str) -> None:
    with pytest.raises(EngineError) as caught:
        ask(module, b"bytes", media_type="image/png")
    assert caught.value.code == "PAYLOAD_UNSUPPORTED"
