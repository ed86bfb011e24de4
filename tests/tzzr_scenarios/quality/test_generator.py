"""The generated papers: the same for a seed, honest about their noise, and of every layout."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest
from stdnum.es import nif

from tzzr_mcp.seams import Dice
from tzzr_scenarios.quality.invoices import LAYOUTS, NOISES, Kind
from tzzr_scenarios.quality.invoices.generator import samples
from tzzr_scenarios.quality.invoices.noise import noisy

PAPERS = list(samples(20, 5))


def test_a_seed_always_gives_the_same_papers() -> None:
    assert [*samples(20, 5)] == PAPERS
    assert [paper.text for paper in samples(10, 6)] != [paper.text for paper in PAPERS[:10]]


def test_fewer_papers_or_layouts_are_the_same_ones() -> None:
    assert [*samples(12, 5)] == PAPERS[:12]
    assert [*samples(20, 5, ["ticket"])] == [paper for paper in PAPERS if paper.layout.name == "ticket"]


def test_each_layout_comes_in_turn_clean_and_with_noise() -> None:
    for name in LAYOUTS:
        own = [bool(paper.noises) for paper in PAPERS if paper.layout.name == name]
        assert own == [False, True]


def test_three_of_ten_layouts_are_held_out() -> None:
    assert (len(LAYOUTS), sum(layout.held_out for layout in LAYOUTS.values())) == (10, 3)


def test_the_tax_numbers_check() -> None:
    assert [paper.id for paper in PAPERS if not nif.is_valid(paper.invoice.issuer.tax_id)] == []


def test_only_a_simplified_invoice_has_no_recipient_and_only_a_rectifying_one_is_negative() -> None:
    for paper in PAPERS:
        assert (paper.invoice.recipient is None) is (paper.invoice.kind is Kind.SIMPLIFIED)
        assert (paper.invoice.total < 0) is (paper.invoice.kind is Kind.RECTIFYING)


@pytest.mark.parametrize("name", NOISES)
def test_a_noise_changes_papers_and_keeps_the_letters_of_names(name: str) -> None:
    clean = [paper for paper in PAPERS if not paper.noises]
    changed = [noisy(paper.text, paper.invoice, (name,), Dice(3)) for paper in clean]

    assert changed != [paper.text for paper in clean]
    for paper, text in zip(clean, changed, strict=True):
        assert paper.invoice.issuer.name in " ".join(text.split())


def test_without_noise_a_text_stays_as_it_is() -> None:
    assert noisy(PAPERS[0].text, PAPERS[0].invoice, (), Dice(3)) == PAPERS[0].text


DIGEST = """
import hashlib
from tzzr_scenarios.quality.invoices.generator import samples
print(hashlib.sha256("".join(paper.text for paper in samples(300, 1619)).encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_every_process_gives_the_same_papers(hash_seed: str) -> None:
    environ = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run([sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True, env=environ)
    here = "".join(paper.text for paper in samples(300, 1619))

    assert done.stdout.strip() == hashlib.sha256(here.encode()).hexdigest()
