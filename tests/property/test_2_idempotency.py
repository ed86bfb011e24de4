"""Contract §7.2: the idempotency key is a function of what is asked, and of nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.parsed import asked
from tests.property.sides import side
from tzzr_mcp.contract.canonical import idempotency_key
from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.translation import readdressed, request_for, serialise
from tzzr_scenarios.strategies import requests
from tzzr_scenarios.strategies.values import instants, traces

ROOT = Path(__file__).parents[2]

PARTS = [
    ("routing", "module"),
    ("routing", "version"),
    ("context", "lang"),
    ("context", "mode"),
    ("payload", "content"),
    ("payload", "type"),
    ("payload", "params"),
]

PRINT_KEY = """
from datetime import UTC, datetime
from uuid import UUID
from tzzr_mcp.contract.translation import translate
arguments = {"texto": "Año 2026: señal de 5 €", "categorias": ["factura", "señal", "carta"]}
request = translate("clasificar", arguments, trace_id=UUID(int=1, version=4), timestamp=datetime(2026, 1, 4, tzinfo=UTC))
print(request.envelope.idempotency_key)
"""
CANONICAL = (
    '{"context":{"lang":"es","mode":"strict"},"contract_version":"2.1",'
    '"payload":{"content":"Año 2026: señal de 5 €","encoding":"utf-8",'
    '"params":{"categories":["factura","señal","carta"]},"type":"text"},'
    '"profile":"LITE","routing":{"module":"CLASSIFIER","version":"1.0"}}'
)
"""The JCS form of that question, written by hand."""


def _shuffled(value: Any, data: st.DataObject) -> Any:
    if isinstance(value, dict):
        return {name: _shuffled(value[name], data) for name in data.draw(st.permutations(list(value)))}
    return value


@given(requests.valid())
def test_the_key_is_the_digest_of_the_sorted_question(document: dict[str, Any]) -> None:
    question = {name: part for name, part in document.items() if name != "envelope"}
    # Names are ASCII and whole numbers small, so that Python's own writer makes the canonical form too.
    written = json.dumps(_whole(question), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert document["envelope"]["idempotency_key"] == hashlib.sha256(written.encode()).hexdigest()


def _whole(value: Any) -> Any:
    """RFC 8785 writes 3.0 as 3."""
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) else value


@given(st.data())
def test_the_order_of_the_keys_does_not_matter(data: st.DataObject) -> None:
    request = data.draw(asked())

    assert idempotency_key(_shuffled(serialise(request), data)) == request.envelope.idempotency_key


@given(asked(), traces(), instants())
def test_trace_and_time_do_not_matter(request: Request, trace_id: UUID, timestamp: datetime) -> None:
    wire = serialise(request)
    module = request.routing.module
    again = request_for(module, wire["payload"], wire["context"], trace_id=trace_id, timestamp=timestamp)

    assert again.envelope.idempotency_key == request.envelope.idempotency_key


@pytest.mark.sides("one of them was given", "none was given")
@given(st.sampled_from([name for name, module in MODULES.items() if module.defaults]).flatmap(asked))
def test_a_default_that_is_spelled_out_does_not_matter(request: Request) -> None:
    wire = serialise(request)
    params = wire["payload"].get("params", {})
    side("one of them was given" if params else "none was given")
    wire["payload"]["params"] = {**MODULES[request.routing.module].defaults, **params}

    assert idempotency_key(wire) == request.envelope.idempotency_key


@pytest.mark.sides(*(f"{part}.{name}" for part, name in PARTS))
@given(st.data())
def test_whatever_else_changes_changes_the_key(data: st.DataObject) -> None:
    request = data.draw(asked())
    wire = serialise(request)
    part, name = data.draw(st.sampled_from(PARTS))
    side(f"{part}.{name}")
    wire[part][name] = {"param": 1} if name == "params" else f"{wire[part][name]}."

    assert idempotency_key(wire) != request.envelope.idempotency_key


@given(asked(), st.sampled_from(["profile", "contract_version"]))
def test_profile_and_version_are_part_of_the_question(request: Request, name: str) -> None:
    assert idempotency_key({**serialise(request), name: "other"}) != request.envelope.idempotency_key


@given(st.sampled_from(["OCR_CORE", "ASR_ENGINE"]).flatmap(asked), instants())
def test_a_chain_module_is_another_question_under_the_same_trace(request: Request, timestamp: datetime) -> None:
    other = readdressed(request, MODULES[request.routing.module].chain[0], timestamp=timestamp)

    assert other.envelope.trace_id == request.envelope.trace_id
    assert other.payload == request.payload
    assert other.envelope.idempotency_key != request.envelope.idempotency_key


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_the_key_is_the_same_in_every_process(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    printed = subprocess.run(
        [sys.executable, "-c", PRINT_KEY], env=environment, check=True, capture_output=True, text=True
    )

    assert printed.stdout.strip() == hashlib.sha256(CANONICAL.encode()).hexdigest()
