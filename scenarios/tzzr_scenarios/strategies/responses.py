"""S-CONTRACT responses as JSON documents: what GRACE returns as a RunPod job's ``output`` (CONTRACT §2)."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from tzzr_mcp.contract.catalogue import chain_of
from tzzr_mcp.contract.schemas import response_errors
from tzzr_mocks.faults.codes import DETAILS, RETRYABLE
from tzzr_scenarios.strategies import results
from tzzr_scenarios.strategies.mutations import changed, mutants, put
from tzzr_scenarios.strategies.values import Json, timestamps, traces

Request = Mapping[str, Json]
"""A request as `requests.valid` draws it."""

_milliseconds = st.integers(0, 10**6)

GOES_ON = ("MODULE_UNAVAILABLE", "MODULE_TIMEOUT", "RATE_LIMITED", "INTERNAL", "LOW_CONFIDENCE")
"""The codes of one module after which a chain tries its next one (CONTRACT §3, "Who falls back")."""
ENDS = ("PAYLOAD_CORRUPT", "PAYLOAD_UNSUPPORTED", "PAYLOAD_TOO_LARGE", "PARAMS_INVALID", "LANG_UNSUPPORTED")
"""The codes of one module that end a chain: another provider cannot mend them."""


@st.composite
def valid(draw: st.DrawFn, request: Request) -> dict[str, Json]:
    """A response that the contract allows to ``request``: OK, DEGRADED where there is a chain, or ERROR.

    Attempts, ``resolved``, ``status`` and ``failure`` follow the chain as §2 and §3 say; the result is `results.valid`.
    """
    module = request["routing"]["module"]
    chain = chain_of(module)
    answering = draw(st.integers(0, len(chain)))
    result = draw(results.valid(request))  # drawn even for an ERROR, which is then no simpler than an answer
    passed = [_tried(draw, name, GOES_ON) for name in chain[:answering]]
    if answering < len(chain) and draw(st.sampled_from([True, True, True, False])):
        attempts = [*passed, {"module": chain[answering], "status": "OK", "duration_ms": draw(_milliseconds)}]
        status = "DEGRADED" if answering else "OK"
        return _document(draw, request, status, attempts, result=result)
    if answering < len(chain):
        passed.append(_tried(draw, chain[answering], ENDS))
    exhausted = answering == len(chain) > 1
    failure = problem("FALLBACK_EXHAUSTED") if exhausted else passed[-1]["error"]
    return _document(draw, request, "ERROR", passed, failure=failure)


def _document(draw: st.DrawFn, request: Request, status: str, attempts: list[Json], **outcome: Json) -> dict[str, Json]:
    ids = request["envelope"]
    resolved = attempts[-1]["module"] if status != "ERROR" else None
    metrics = {"duration_ms": _milliseconds, "simulated": st.booleans(), "invented": st.booleans()}
    return {
        "contract_version": request["contract_version"],
        "profile": request["profile"],
        "envelope": {
            "trace_id": ids["trace_id"],
            "idempotency_key": ids["idempotency_key"],
            "timestamp": draw(timestamps()),
        },
        "routing": {**request["routing"], "resolved": resolved, "attempts": attempts},
        "status": status,
        "result": None,
        "failure": None,
        "metrics": draw(st.fixed_dictionaries(metrics)),
        **outcome,
    }


def _tried(draw: st.DrawFn, module: str, codes: Sequence[str]) -> dict[str, Json]:
    error = problem(draw(st.sampled_from(codes)))
    return {"module": module, "status": "ERROR", "error": error, "duration_ms": draw(_milliseconds)}


def problem(code: str) -> dict[str, Json]:
    """The ``failure`` of a response, or the ``error`` of an attempt, with the details that §2 demands of its code."""
    told = {"code": code, "message": f"planned: {code}", "retryable": code in RETRYABLE}
    return {**told, "details": copy.deepcopy(dict(DETAILS[code]))} if code in DETAILS else told


@st.composite
def nearly_valid(draw: st.DrawFn, request: Request) -> dict[str, Json]:
    """A response with one thing changed that the published schema refuses; a client tells ``GRACE_BAD_RESPONSE``."""
    mutant: dict[str, Json] = draw(
        mutants(draw(valid(request))).filter(lambda document: bool(response_errors(document)))
    )
    return mutant


@st.composite
def mismatched(draw: st.DrawFn, request: Request) -> dict[str, Json]:
    """A whole response that carries another request's trace id or key: to be refused as ``CONTRACT_MISMATCH``."""
    name = draw(st.sampled_from(["trace_id", "idempotency_key"]))
    drawn = traces().map(str) if name == "trace_id" else st.binary(min_size=32, max_size=32).map(bytes.hex)
    other = draw(drawn.filter(lambda value: value != request["envelope"][name]))
    document: dict[str, Json] = changed(draw(valid(request)), ("envelope", name), put(other))
    return document
