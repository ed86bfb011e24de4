"""The registry: sixteen modules, each with its engine, loaded when it is first used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tzzr_mcp.contract.catalogue import MODULES as CATALOGUE
from tzzr_mocks.grace.engines import MODULES, EngineError, engine_for


def test_every_leaf_module_of_the_catalogue_has_an_engine_and_no_other() -> None:
    assert set(MODULES) == {name for name, module in CATALOGUE.items() if not module.chain}
    assert all(callable(engine_for(name)) for name in MODULES)


@pytest.mark.parametrize("module", ["OCR_CORE", "ASR_ENGINE", "CLASIFIER"])
def test_a_chain_or_a_misspelt_name_is_unknown(module: str) -> None:
    with pytest.raises(EngineError) as caught:
        engine_for(module)
    assert caught.value.code == "MODULE_UNKNOWN"
    assert caught.value.details == {"module": module}


def test_a_misspelt_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(EngineError, match="CLASSIFIER"):
        engine_for("CLASIFIER")


def test_importing_the_engines_loads_no_heavy_library() -> None:
    heavy = "{'PIL', 'pypdf', 'py3langid', 'numpy', 'stdnum', 'mutagen', 'snowballstemmer'}"
    program = f"import sys, tzzr_mocks.grace.engines; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=_path())
    assert done.stdout.strip() == "[]"


def _path() -> dict[str, str]:
    return {"PYTHONPATH": ":".join(entry for entry in sys.path if entry)}
