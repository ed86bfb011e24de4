"""Hypothesis strategies for whoever implements either side of S-CONTRACT, RunPod or Directus; docs/strategies.md.

One module per subject, and the same names in each: ``valid`` draws what the contract accepts, ``nearly_valid`` what is
one mistake away from it and is refused.

    arguments   what the MCP tools take, by tool or by any input schema
    requests    S-CONTRACT requests, as JSON documents
    responses   S-CONTRACT responses to a request
    results     what each module returns to a request
    jobs        bodies of RunPod's /run, and what its /status answers
    queries     Directus rows, filters, sorts and whole queries
    faults      rules and plans of the fakes
    invoices    Spanish invoices whose fields are known, and the hands that write them
    values      what the others are made of: texts, languages, instants, ids, first bytes of files
    schemas     values that a JSON Schema accepts, and that it just refuses
    mutations   a JSON document with one thing changed

Everything shrinks to the plainest case: the module LANG_DETECT, the text «0», no optional part.
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis  # noqa: F401 - an optional extra, told here once for every module
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "tzzr_scenarios.strategies draws with Hypothesis, which is not installed: pip install 'mcp-server-tzzr[proof]'",
        name=missing.name,
    ) from missing
