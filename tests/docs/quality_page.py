"""The page about ``tzzr quality``, with the figures that were measured just now."""

from __future__ import annotations

from collections.abc import Sequence

from tzzr_scenarios.commands.quality import COUNT, SEED
from tzzr_scenarios.quality.corpus import TASKS
from tzzr_scenarios.quality.invoices import LAYOUTS
from tzzr_scenarios.quality.invoices.generator import samples
from tzzr_scenarios.quality.measure import measure_invoices, measure_task
from tzzr_scenarios.quality.reader import EngineReader
from tzzr_scenarios.quality.tables import field_table, label_table

_MADE = "<!-- made from the code: pytest -m '' tests/docs/test_quality.py --update-golden -->\n"
_HEAD = f"""\
# Quality

How well does a service read? `tzzr quality` asks it for what is known and counts: the fields of {COUNT} generated Spanish
invoices, the languages of sentences and short expressions, the kinds of documents. It measures the engines of this package,
in this process and offline, or anybody's S-CONTRACT service.

```console
$ pip install 'mcp-server-tzzr[harness,proof]'
$ tzzr quality themes --quiet
themes: CLASSIFIER among 8, in per cent
…
```

| command | what it does |
|---|---|
| `tzzr quality` | measure everything here |
| `tzzr quality --url URL --key KEY` | measure a service behind RunPod's queue; `--plain`: over plain HTTP |
| `tzzr quality invoices --layout letter --show-misses 5` | one layout, and five misses of each field |
| `tzzr quality --print ticket-3` | one of the papers as it is sent |
| `tzzr quality --floor 90 --json quality.jsonl` | exit 1 when a figure is under 90 %; a JSON line for each figure |

Each invoice costs one request of FIELD_EXTRACTOR, each text one of LANG_DETECT or CLASSIFIER; `--count 50` is enough for a
first look at a service that is paid by the request.

## The invoices

An invoice is made by dice from Faker's Spanish companies and people, with tax numbers and accounts whose check digits hold:
one to five rows, one rate or several, IVA or IGIC, recargo de equivalencia, retention, in euros and a few in dollars or
pounds. The same seed gives the same invoices. The layouts are written from how invoices look and from what Real Decreto
1619/2012 wants on them, not from what the extractor can read:

"""
_NOISE = """
Dates are 03/02/2026, 3 de febrero de 2026, 2026-02-03, 03-02-2026, 03.02.2026 or 03-feb-2026; amounts 1.234,56 €,
1234.56 EUR and five other forms; tax numbers and accounts in one piece or in groups; labels vary. Every other invoice has
one to three noises: figures read as letters and letters as figures (where a reader could tell: not in names and
descriptions), lines that go on below, doubled blanks, a page that ends in the middle.

## How it is counted

Precision is the share of what came that is true, recall the share of what is true that came; a wrong value counts against
both. Names are compared without case and doubled blanks, tax numbers without the `ES` that may stand before a Spanish one,
amounts as numbers. A row is right when description, quantity, price and amount are; a tax when base, rate and share are.

Three layouts, drawn by lot before anything was measured, are **held out**: the extractor was bettered by looking at what it
missed on the other seven (with other seeds than the one of this table), and never on these. They say what to expect of a
layout that nobody thought of, the other columns what to expect of one that somebody did. The same people wrote layouts and
extractor, so papers of strangers may be read worse than either; where you have some, measure with those too.

## What was measured
"""
_BEFORE = """\
Before the engine was bettered with the seven layouts, the same invoices gave 87.8/87.8 for `receptor_nombre` on clean
papers, 94.8/87.6 for `base_imponible` and 94.0/86.7 for `lines`; with noise 77.0/74.4, 91.5/81.9 and 85.6/75.7,
and 93.4/81.4 for `iban`. On held-out papers with noise `lines` rose from 87.8/81.2 and `emisor_nombre` from 64.4/64.4.
What is still weak there: the issuer's name under labels in two languages, a retention whose label is in two languages, and
the bases of several rates when the paper prints only their shares (they are worked out from the shares, to a few cents).

"""
_TEXTS = """\
Twelve languages, the four of Spain and their neighbours among them: the same sentences in each, three of them as a paragraph,
and expressions of up to four words. Many of these are the same words in two languages, or nearly (`Factura da luz`,
`Feliz aniversario`), and Spanish is the more likely of two here, so the engine says Spanish with little confidence.

"""
_KINDS = """\
How documents of eighteen kinds begin and read. Every other text of a kind is held out: the word lists were bettered by
looking at the rest. The figures for these are what a new document meets; the word lists are short.

"""
_THEMES = """\
Categories that a caller brings: eight themes, a sentence or two each, half of them held out.

"""
_OWN = """\
## An extractor of your own

What does not speak S-CONTRACT is measured from Python. `came_of` takes the result as the contract has it (`fields`, `taxes`,
`lines`):

```python
from tzzr_scenarios.quality.invoices.generator import samples
from tzzr_scenarios.quality.score import Score, came_of, compare, truth_of

from my_extractor import extract

added = {}
for paper in samples(20, seed=1619):
    for what, score in compare(paper.id, truth_of(paper.invoice), came_of(extract(paper.text))).items():
        added.setdefault(what, Score())
        added[what] += score

for miss in added["total"].misses:
    print(miss.sample, miss.true, miss.came)
print(f"total: {added['total'].precision:.3f} {added['total'].recall:.3f}")
```

A layout is a function from an `Invoice` and a `Writing` to text; `tzzr_scenarios/quality/invoices/layouts` has one per file.

"""
_FLOORS = """\
## Floors

`tests/tzzr_scenarios/quality/floors.py` has a floor for each of these figures, a little under it. CI measures all of them
and says field, floor, figure and three examples when one falls; the default test run measures twenty invoices.

Hypothesis draws the same invoices for tests of your own: `tzzr_scenarios.strategies.invoices`.
"""


async def quality_page() -> str:
    """How to measure, and the figures of the published seed."""
    reader = EngineReader()
    fields = field_table(await measure_invoices(reader, samples(COUNT, SEED)))
    tables = {name: _markdown(label_table(await measure_task(reader, task))) for name, task in TASKS.items()}
    about = [["layout", "what it is", "held out"],
             *([f"`{one.name}`", one.about, "yes" if one.held_out else ""] for one in LAYOUTS.values())]  # fmt: skip
    measured = f"{COUNT} invoices of seed {SEED}: precision/recall in per cent, and how many papers there are.\n"
    return "\n".join([
        _MADE, _HEAD + _markdown(about), _NOISE,
        measured, _markdown([[f"`{row[0]}`" if row[0] else "field", *row[1:]] for row in fields]), "", _BEFORE.rstrip(), "",
        "## Languages", "", _TEXTS + tables["languages"], "",
        "## Kinds of documents", "", _KINDS + tables["kinds"], "",
        "## Themes", "", _THEMES + tables["themes"], "", _OWN + _FLOORS.rstrip(), "",
    ])  # fmt: skip


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = [
        head,
        [
            "---",
            *("---:" if "%" not in name and name not in ("what it is", "held out") else "---" for name in head[1:]),
        ],
        *body,
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
