"""The modules that read text: CLASSIFIER, SUMMARIZER, TRANSLATOR, SENTIMENT and LANG_DETECT (contract §4)."""

from __future__ import annotations

import math
from typing import Final

from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.checks import TOLERANCE, confidences, has, language, number, objects, whole
from tzzr_scenarios.conform.grace.probe import NOTHING, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

_NUMBER: Final = (int, float)
_CATEGORIES: Final = ["factura", "receta de cocina", "parte meteorológico"]


@BOOK.rule("classifier.form", "§4: CLASSIFIER")
async def classifies(probe: Probe) -> None:
    """The result has ``category``, ``confidence`` and the list ``alternatives``."""
    has(await probe.good("CLASSIFIER"), {"category": str, "confidence": _NUMBER, "alternatives": list})


@BOOK.rule("classifier.sum", "§4: CLASSIFIER")
async def is_sure_of_one_in_all(probe: Probe) -> None:
    """The confidences of the category and its alternatives add up to 1."""
    answer = await probe.good("CLASSIFIER")
    others = [each.get("confidence") for each in objects(answer, "alternatives")]
    values = [answer.given("confidence", _NUMBER), *others]
    if not all(number(value) for value in values):
        raise NotJudged("a confidence is no number; see classifier.confidence")
    hold(answer, abs(math.fsum(values) - 1) <= TOLERANCE, "sum of the confidences", 1, math.fsum(values))


@BOOK.rule("classifier.confidence", "§4: confidences")
async def is_sure_between_0_and_1(probe: Probe) -> None:
    """Every confidence is a number in [0, 1]."""
    answer = await probe.good("CLASSIFIER")
    listed = [(f"alternatives[{i}].confidence", each.get("confidence", NOTHING))
              for i, each in enumerate(objects(answer, "alternatives"))]  # fmt: skip
    confidences(answer, [("confidence", answer.given("confidence", _NUMBER)), *listed])


@BOOK.rule("classifier.categories", "§4: CLASSIFIER, categories")
async def chooses_among_what_is_given(probe: Probe) -> None:
    """With ``categories`` the category and every alternative is one of them."""
    answer = await probe.ask(samples.text("CLASSIFIER", categories=_CATEGORIES))
    named = [answer.given("category", str), *(each.get("category") for each in objects(answer, "alternatives"))]
    hold(answer, set(named) <= set(_CATEGORIES), "result.category", f"of {', '.join(_CATEGORIES)}", named)


@BOOK.rule("summarizer.form", "§4: SUMMARIZER")
async def summarizes(probe: Probe) -> None:
    """The result has ``summary``, ``words`` and ``compression``."""
    answer = await probe.good("SUMMARIZER")
    has(answer, {"summary": str, "words": int, "compression": _NUMBER})
    hold(answer, bool(answer.result["summary"].strip()), "result.summary", "a text", answer.result["summary"])


@BOOK.rule("summarizer.max-words", "§4: SUMMARIZER, max_words")
async def keeps_to_the_words_it_was_given(probe: Probe) -> None:
    """The summary has no more words than ``max_words``, and ``words`` says how many."""
    answer = await probe.good("SUMMARIZER")
    told, counted = answer.given("words", int), len(answer.given("summary", str).split())
    hold(answer, counted <= 30, "words of the summary", "at most 30", counted)
    hold(answer, abs(told - counted) <= max(1, counted // 5), "result.words", counted, told)


@BOOK.rule("summarizer.compression", "§4: SUMMARIZER, compression")
async def says_how_much_shorter_it_is(probe: Probe) -> None:
    """``compression`` is the words of the summary over those of the text."""
    answer = await probe.good("SUMMARIZER")
    expected = answer.given("words", int) / len(samples.LONG.split())
    came = answer.given("compression", _NUMBER)
    hold(answer, abs(came - expected) <= 0.05, "result.compression", round(expected, 3), came)


@BOOK.rule("translator.form", "§4: TRANSLATOR")
async def translates(probe: Probe) -> None:
    """The result has ``text``, ``source_lang`` and ``target_lang``."""
    answer = await probe.good("TRANSLATOR")
    has(answer, {"text": str, "source_lang": str, "target_lang": str})
    hold(answer, bool(answer.result["text"].strip()), "result.text", "a text", answer.result["text"])


@BOOK.rule("translator.target", "§4: TRANSLATOR, target_lang")
async def translates_to_what_was_asked(probe: Probe) -> None:
    """``target_lang`` is the one that was asked for."""
    answer = await probe.good("TRANSLATOR")
    came = answer.given("target_lang", str)
    hold(answer, came == "en", "result.target_lang", "en", came)


@BOOK.rule("translator.source", "§4: TRANSLATOR; §1: context.lang")
async def names_the_language_it_found(probe: Probe) -> None:
    """With ``context.lang`` auto, ``source_lang`` names the language that was found."""
    answer = await probe.ask(samples.text("TRANSLATOR", lang="auto", target_lang="en"))
    came = answer.given("source_lang", str)
    hold(answer, language(came), "result.source_lang", "two or three letters", came)


@BOOK.rule("sentiment.label", "§4: SENTIMENT")
async def labels_the_tone(probe: Probe) -> None:
    """``label`` is positive, neutral or negative."""
    answer = await probe.good("SENTIMENT")
    came = answer.result.get("label", NOTHING)
    hold(answer, came in ("positive", "neutral", "negative"), "result.label", "positive, neutral or negative", came)


@BOOK.rule("sentiment.score", "§4: SENTIMENT")
async def scores_the_tone(probe: Probe) -> None:
    """``score`` is a number in [-1, 1]."""
    answer = await probe.good("SENTIMENT")
    came = answer.result.get("score", NOTHING)
    hold(answer, number(came) and -1 <= came <= 1, "result.score", "a number in [-1, 1]", came)


@BOOK.rule("lang-detect.form", "§4: LANG_DETECT")
async def detects_a_language(probe: Probe) -> None:
    """The result has ``language`` as two or three letters, ``confidence`` and the list ``alternatives``."""
    answer = await probe.good("LANG_DETECT")
    has(answer, {"language": str, "confidence": _NUMBER, "alternatives": list})
    hold(
        answer,
        language(answer.result["language"]),
        "result.language",
        "two or three letters",
        answer.result["language"],
    )


@BOOK.rule("lang-detect.confidence", "§4: confidences")
async def is_sure_of_a_language_between_0_and_1(probe: Probe) -> None:
    """Every confidence is a number in [0, 1]."""
    answer = await probe.good("LANG_DETECT")
    listed = [(f"alternatives[{i}].confidence", each.get("confidence", NOTHING))
              for i, each in enumerate(objects(answer, "alternatives"))]  # fmt: skip
    confidences(answer, [("confidence", answer.given("confidence", _NUMBER)), *listed])


@BOOK.rule("lang-detect.plain", "§4: LANG_DETECT")
async def tells_spanish_from_english(probe: Probe) -> None:
    """A page of plain Spanish is es, plain English is en."""
    for content, expected in ((samples.LONG, "es"), (samples.ENGLISH, "en")):
        answer = await probe.ask(samples.text("LANG_DETECT", content, lang="auto"))
        came = answer.given("language", str)
        if not language(came):
            raise NotJudged("the language is no primary subtag; see lang-detect.form")
        hold(answer, came == expected, "result.language", expected, came)


@BOOK.rule("summarizer.words", "§4: SUMMARIZER")
async def counts_words_from_one(probe: Probe) -> None:
    """``words`` is a whole number from 1 on, ``compression`` is not negative."""
    answer = await probe.good("SUMMARIZER")
    words, compression = answer.given("words", int), answer.given("compression", _NUMBER)
    hold(answer, whole(words), "result.words", "from 1 on", words)
    hold(answer, compression >= 0, "result.compression", "from 0 on", compression)
