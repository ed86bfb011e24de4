"""The catalogue against the seed's own tables (contract §7.5)."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from tests.contract.seed_tables import CHAINS as SEED_CHAINS
from tests.contract.seed_tables import TOOLS as SEED_TOOLS
from tzzr_mcp.contract.catalogue import FIELDS, LIMIT_BASE64, LIMIT_BYTES, MODULES, TOOLS, chain_of, module_of


@pytest.mark.parametrize(("tool", "module", "family"), SEED_TOOLS)
def test_each_tool_has_the_module_and_the_family_of_the_seed(tool: str, module: str, family: str) -> None:
    assert module_of(tool).name == module
    assert module_of(tool).family == family


def test_no_other_tool_is_answered_by_grace() -> None:
    assert set(TOOLS) == {tool for tool, _, _ in SEED_TOOLS}
    with pytest.raises(KeyError):
        module_of("buscar_tags")


def test_the_chains_are_those_of_the_seed() -> None:
    chains = {name: module.chain for name, module in MODULES.items() if module.chain}

    assert chains == SEED_CHAINS


def test_there_are_eighteen_modules_in_four_families() -> None:
    families = Counter(module.family for module in MODULES.values())

    assert families == {"Semántica": 5, "Visión": 5, "Voz": 5, "Utilidades": 3}


@pytest.mark.parametrize("name", MODULES)
def test_a_chain_is_made_of_modules_alike_and_without_a_chain_of_their_own(name: str) -> None:
    head = MODULES[name]
    for member in (MODULES[member] for member in head.chain):
        alike = (head.family, head.accepts, head.params, head.result, head.threshold)
        assert (member.family, member.accepts, member.params, member.result, member.threshold) == alike
        assert chain_of(member.name) == (member.name,)


def test_only_hasher_takes_binary() -> None:
    assert [name for name, module in MODULES.items() if "binary" in module.accepts] == ["HASHER"]


def test_media_types_follow_from_what_a_module_accepts() -> None:
    assert MODULES["CLASSIFIER"].media_types == ()
    assert "application/pdf" in MODULES["OCR_CORE"].media_types
    assert MODULES["ASR_GROQ"].media_types == MODULES["ASR_ENGINE"].media_types


def test_the_defaults_are_those_of_the_contract() -> None:
    assert MODULES["SUMMARIZER"].defaults == {"max_words": 120, "style": "paragraph"}
    assert MODULES["EMBEDDINGS"].defaults == {"dimensions": 384}
    assert MODULES["ASR_ENGINE"].defaults == {"timestamps": False}
    assert MODULES["HASHER"].defaults == {"algorithm": "sha256"}
    assert MODULES["CLASSIFIER"].defaults == {}


def test_an_invoice_has_fourteen_fields() -> None:
    assert len(FIELDS) == len(set(FIELDS)) == 14


def test_the_largest_content_fits_runpods_ten_megabytes() -> None:
    assert LIMIT_BYTES == 7 * 2**20
    assert LIMIT_BASE64 % 4 == 0
    assert LIMIT_BASE64 < 10_000_000 - 100_000


def test_the_catalogue_needs_nothing_but_the_standard_library() -> None:
    code = "import sys, tzzr_mcp.contract.catalogue; print({'pydantic', 'jsonschema', 'rfc8785'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert printed.stdout.strip() == "set()"
