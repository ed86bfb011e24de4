"""``tzzr://grace/modules``: the catalogue, whole."""

from __future__ import annotations

import json

from tests.tzzr_mcp.plugins.calls import a_call
from tests.tzzr_mcp.services.worlds import new_seams
from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.plugins.grace.modules import read


async def test_every_module_is_told_with_its_chain_and_parameters() -> None:
    document = json.loads(await read(a_call(None, new_seams(), {})))
    told = {module["module"]: module for module in document["modules"]}
    assert (document["contract_version"], document["total"]) == ("2.1", 18)
    assert list(told) == list(MODULES)
    assert told["OCR_CORE"]["chain"] == ["OCR_LOCAL", "OCR_GROQ", "OCR_OPENAI"]
    assert told["SUMMARIZER"]["params"]["max_words"]["default"] == 120
    assert told["TRANSLATOR"]["params"]["target_lang"]["required"] is True
    assert "default" not in told["TRANSLATOR"]["params"]["target_lang"]
    assert told["HASHER"]["tool"] == "generar_hash"
