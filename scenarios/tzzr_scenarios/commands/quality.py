"""``tzzr quality``: how well a service reads invoices, tells languages and sorts texts, in figures."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx

from tzzr_mcp.seams import Dice, SystemClock
from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, PASSED
from tzzr_scenarios.commands.conform_report import address, sendable
from tzzr_scenarios.commands.quality_report import Figures, figures
from tzzr_scenarios.conform.grace.door import Line, PlainDoor, RunPodDoor, Unreachable
from tzzr_scenarios.conform.grace.samples import Author
from tzzr_scenarios.quality import tables
from tzzr_scenarios.quality.corpus import TASKS
from tzzr_scenarios.quality.invoices import LAYOUTS
from tzzr_scenarios.quality.invoices.sample import Sample
from tzzr_scenarios.quality.labels import misses_of
from tzzr_scenarios.quality.measure import measure_invoices, measure_task, scores_of
from tzzr_scenarios.quality.reader import EngineReader, Reader, ServiceReader
from tzzr_scenarios.quality.score import MEASURED
from tzzr_scenarios.spelling import suggestion

SEED, COUNT = 1619, 300
"""The invoices of the published table."""
_MEASURES = ("invoices", *TASKS)
_EXAMPLE = "https://api.runpod.ai/v2/grace"
_EPILOG = f"""\
examples:
  tzzr quality                                     everything, in this process, in half a minute
  tzzr quality invoices --layout letter --show-misses 5
  tzzr quality invoices --print ticket-3           one of the papers, to see what is asked
  tzzr quality languages kinds themes
  RUNPOD_API_KEY=… tzzr quality --url https://api.runpod.ai/v2/grace --count 50
  tzzr quality invoices --floor 90 --json quality.jsonl

what is measured:
  invoices    FIELD_EXTRACTOR on generated Spanish invoices: precision and recall of each field, the taxes and the rows
  languages   LANG_DETECT on texts in twelve languages: expressions, sentences, paragraphs
  kinds       CLASSIFIER among eighteen kinds of documents
  themes      CLASSIFIER among eight themes

layouts: {", ".join(LAYOUTS)}

A value that is wrong counts against precision and against recall. Half of the invoices have noise: confused characters,
broken lines, doubled blanks, page heads. The same seed gives the same invoices.

exit codes: 0 measured, 1 something is under --floor, 2 it could not be measured
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = _EPILOG
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"{', '.join(_MEASURES)} (default: everything)")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help="how many invoices (default %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the invoices (default %(default)s)")
    parser.add_argument(
        "--layout", action="append", default=[], metavar="NAME", help="only this layout; may be repeated"
    )
    parser.add_argument("--show-misses", type=int, default=0, metavar="N", help="print N misses of each field or task")
    parser.add_argument("--print", dest="paper", metavar="ID", help="print one invoice as it is sent, and ask nothing")
    parser.add_argument("--floor", type=float, metavar="PERCENT", help="exit 1 when a figure is under it")
    parser.add_argument(
        "--json", nargs="?", const="-", metavar="FILE", help="JSON lines: to FILE, or in place of the text"
    )
    parser.add_argument("--url", help=f"an S-CONTRACT service, such as {_EXAMPLE} (default: this package's engines)")
    parser.add_argument("--key", default=os.environ.get("RUNPOD_API_KEY"), help="its key (default: $RUNPOD_API_KEY)")
    parser.add_argument("--plain", action="store_true", help="a service over plain HTTP, without RunPod's queue")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="S", help="seconds for an answer (%(default)s)")
    parser.add_argument("-q", "--quiet", action="store_true", help="print no progress")


def main(options: argparse.Namespace) -> int:
    """Measure; 0 measured, 1 something is under the floor, 2 it could not be measured."""
    try:
        _held_possible(options)
        if options.paper:
            return _printed(options)
        with figures(options) as output:
            asyncio.run(_measured(options, output))
        return _judged(options.floor, output)
    except (Unreachable, ValueError) as error:
        print(f"tzzr quality: {error}", file=sys.stderr)
        return COULD_NOT_RUN


def _held_possible(options: argparse.Namespace) -> None:
    """Raises ValueError for what is not there or cannot be."""
    for kind, given, known in (("measure", options.what, _MEASURES), ("layout", options.layout, [*LAYOUTS])):
        for name in given:
            if name not in known:
                raise ValueError(f"{name!r} is no {kind}; {suggestion(name, [*known], f'{kind}s')}")
    if not 1 <= options.count <= 100_000:
        raise ValueError(f"--count {options.count} is not from 1 to 100000")


def _papers(options: argparse.Namespace) -> list[Sample]:
    try:
        from tzzr_scenarios.quality.invoices.generator import samples  # noqa: PLC0415 - an optional extra
    except ModuleNotFoundError as missing:
        mend = "pip install 'mcp-server-tzzr[proof]', or measure something else"
        raise ValueError(f"invoices are invented with {missing.name}, which is not installed: {mend}") from missing
    papers = list(samples(options.count, options.seed, options.layout or [*LAYOUTS]))
    if not papers:
        raise ValueError(
            f"--count {options.count} has no invoice of {', '.join(options.layout)}: there are ten layouts in turn"
        )
    return papers


def _printed(options: argparse.Namespace) -> int:
    papers = {paper.id: paper for paper in _papers(options)}
    if options.paper not in papers:
        called = "they are called by layout and place"
        raise ValueError(f"there is no invoice {options.paper!r}; {called}: {', '.join([*papers][:10])} …")
    print(papers[options.paper].text, end="")
    return PASSED


@asynccontextmanager
async def _reader(options: argparse.Namespace) -> AsyncIterator[Reader]:
    if not options.url:
        yield EngineReader()
        return
    base = str(address(options.url, _EXAMPLE))
    key = sendable("--key", options.key) if options.key else None
    async with httpx.AsyncClient(timeout=options.timeout) as client:
        line = Line(base, client, SystemClock(), key, options.timeout)
        door = PlainDoor(line) if options.plain else RunPodDoor(line)
        yield ServiceReader(base, door, Author(line.clock, Dice.from_entropy()))


async def _measured(options: argparse.Namespace, output: Figures) -> None:
    what = options.what or _MEASURES
    async with _reader(options) as reader:
        if "invoices" in what:
            await _invoices(reader, _papers(options), output, options.seed)
        for name in TASKS:
            if name in what:
                await _task(reader, name, output)
        _held_measured(reader, output)
        output.line({"event": "end", "without_result": len(reader.troubles)})


def _held_measured(reader: Reader, output: Figures) -> None:
    """Say how many requests got no result. Raises ValueError: none got one, so there is nothing to judge."""
    if not reader.troubles:
        return
    told = f"{len(reader.troubles)} requests got no result, such as: {reader.troubles[0]}"
    if len(reader.troubles) == output.asked:
        raise ValueError(told)
    print(f"tzzr quality: {told}", file=sys.stderr)


async def _invoices(reader: Reader, papers: Sequence[Sample], output: Figures, seed: int) -> None:
    with output.watched("invoices", len(papers)) as done:
        readings = await measure_invoices(reader, papers, done)
    output.table(f"{len(papers)} invoices of seed {seed}: precision/recall in per cent", tables.field_table(readings))
    output.told([*tables.field_lines(readings)])
    scores = scores_of(readings)
    for field_name in MEASURED:
        output.missed(scores[field_name].misses)


async def _task(reader: Reader, name: str, output: Figures) -> None:
    task = TASKS[name]
    with output.watched(name, len(task.texts)) as done:
        judged = await measure_task(reader, task, done)
    output.table(f"{name}: {task.module} among {len(task.labels)}, in per cent", tables.label_table(judged))
    output.told([*tables.label_lines(name, judged)])
    output.missed(misses_of(judged, name))


def _judged(floor: float | None, output: Figures) -> int:
    under = [(figure, what) for figure, what in output.figures if floor is not None and 100 * figure < floor]
    for figure, what in sorted(under):
        print(f"tzzr quality: {what} is {100 * figure:.1f} %, under {floor:g} %", file=sys.stderr)
    return FAILED if under else PASSED
