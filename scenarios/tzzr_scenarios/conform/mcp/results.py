"""What a call gives: text for people and structure for programs (contract §5). Left out when what is below is down."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from jsonschema import Draft202012Validator

from tzzr_scenarios.conform.mcp.book import BOOK
from tzzr_scenarios.conform.mcp.offered import RESOURCES
from tzzr_scenarios.conform.mcp.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

_CALLS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("generar_hash", {"texto": "ñandú 🧾"}),
    ("detectar_idioma", {"texto": "Este texto está escrito en español, sin ninguna duda."}),
    ("buscar_tags", {"consulta": "factura", "limite": 3}),
    ("explorar_recursos", {}),
)


def _good(answer: Answer) -> dict[str, Any]:
    """The structured content of a call that went well. Raises `NotJudged`: it did not."""
    if answer.result.get("isError"):
        code = answer.at("result", "_meta", "tzzr/error", "code")
        raise NotJudged(f"{answer.message['params']['name']} failed with {code}")
    structured = answer.result.get("structuredContent")
    if not isinstance(structured, dict):
        raise NotJudged("there is no structuredContent; see results.both")
    return structured


async def _answers(probe: Probe) -> list[Answer]:
    answers = [await probe.call(tool, **arguments) for tool, arguments in _CALLS]
    good = [answer for answer in answers if isinstance(answer.at("result"), dict) and not answer.result.get("isError")]
    if not good:
        raise NotJudged("no call went well")
    return good


@BOOK.rule("results.both", "contract §5: structured content")
async def tells_people_and_programs(probe: Probe) -> None:
    """A result has a text and ``structuredContent``, an object."""
    for answer in await _answers(probe):
        came = answer.result.get("structuredContent", NOTHING)
        hold(answer, isinstance(came, dict), "result.structuredContent", "an object", came)
        hold(answer, bool(answer.text.strip()), "result.content", "a text", answer.result.get("content", NOTHING))


@BOOK.rule("results.data", "contract §5: structured content")
async def has_source_and_data(probe: Probe) -> None:
    """``structuredContent`` has ``source`` and ``data``."""
    for answer in await _answers(probe):
        missing = {"source", "data"} - _good(answer).keys()
        hold(
            answer, not missing, "result.structuredContent", "source and data", f"without {', '.join(sorted(missing))}"
        )


@BOOK.rule("results.source", "contract §5: source")
async def says_where_it_comes_from(probe: Probe) -> None:
    """``source`` has ``name``, ``kind`` (service, dataset or computation), ``retrieved_at`` and ``simulated``."""
    for answer in await _answers(probe):
        source = _good(answer).get("source")
        if not isinstance(source, dict):
            raise NotJudged("there is no source; see results.data")
        missing = {"name", "kind", "retrieved_at", "simulated"} - source.keys()
        hold(answer, not missing, "source", "name, kind, retrieved_at, simulated", source)
        kept = source["kind"] in ("service", "dataset", "computation") and isinstance(source["simulated"], bool)
        hold(answer, kept, "source.kind, source.simulated", "service, dataset or computation; true or false", source)


@BOOK.rule("results.schema", "MCP: outputSchema")
async def keeps_to_its_output_schema(probe: Probe) -> None:
    """``structuredContent`` fits the tool's ``outputSchema``."""
    items, _ = await probe.every("tools/list", "tools")
    schemas = {item.get("name"): item.get("outputSchema") for item in items}
    for answer in await _answers(probe):
        schema = schemas.get(answer.message["params"]["name"])
        if isinstance(schema, dict):
            wrong = next(Draft202012Validator(schema).iter_errors(_good(answer)), None)
            hold(
                answer, wrong is None, "result.structuredContent", "as outputSchema says", wrong and wrong.message[:200]
            )


@BOOK.rule("results.hash", "contract §5: generar_hash")
async def hashes(probe: Probe) -> None:
    """``generar_hash`` gives the SHA-256 of the text's bytes in ``data.digest``."""
    answer = await probe.call("generar_hash", **_CALLS[0][1])
    expected = hashlib.sha256(_CALLS[0][1]["texto"].encode()).hexdigest()
    data = _good(answer).get("data")
    came = data.get("digest", NOTHING) if isinstance(data, dict) else NOTHING
    hold(answer, came == expected, "data.digest", expected, came)


@BOOK.rule("results.tables", "contract §5: tables")
async def fills_its_tables(probe: Probe) -> None:
    """Every row of a table has a cell per column, and column keys are unique."""
    for answer in await _answers(probe):
        for table in _objects(_good(answer).get("tables")):
            keys = [column.get("key") for column in _objects(table.get("columns"))]
            hold(answer, len({*keys}) == len(keys), f"columns of {table.get('id')}", "unique keys", keys)
            wrong = [row for row in table.get("rows", ()) if len(row) != len(keys)]
            hold(answer, not wrong, f"rows of {table.get('id')}", f"{len(keys)} cells", wrong[:1])


@BOOK.rule("results.charts", "contract §5: charts")
async def draws_its_own_tables(probe: Probe) -> None:
    """Every chart draws columns of a table that is there."""
    for answer in await _answers(probe):
        structured = _good(answer)
        columns = {table.get("id"): {column.get("key") for column in _objects(table.get("columns"))}
                   for table in _objects(structured.get("tables"))}  # fmt: skip
        for chart in _objects(structured.get("charts")):
            drawn = {chart.get("x"), *(chart.get("y") or ())}
            known = columns.get(chart.get("table"), set())
            hold(answer, drawn <= known, "charts[]", f"columns of {sorted(map(str, known))}", chart)


def _objects(listed: Any) -> Iterator[dict[str, Any]]:
    yield from (each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, dict))


@BOOK.rule("results.limit", "contract §5: buscar_tags")
async def keeps_to_the_limit(probe: Probe) -> None:
    """``buscar_tags`` gives no more rows than ``limite``."""
    answer = await probe.call("buscar_tags", consulta="a", limite=2)
    tables = [*_objects(_good(answer).get("tables"))]
    for table in tables:
        hold(answer, len(table.get("rows", ())) <= 2, "rows of the table", "at most 2", len(table.get("rows", ())))


@BOOK.rule("results.resources", "contract §5: explorar_recursos")
async def tells_what_there_is_to_read(probe: Probe) -> None:
    """``explorar_recursos`` without ``uri`` names the five resources."""
    answer = await probe.call("explorar_recursos")
    _good(answer)
    told = str(answer.result)
    missing = [uri for uri in RESOURCES if uri not in told]
    hold(answer, not missing, "result", "five resources", f"without {', '.join(missing)}")
