"""The wire: request bodies read, answers written. Shapes of runpod.md §4 to §6; no rule about when.

Answers are compact JSON with sorted keys, as in the captures that look untouched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from tzzr_mocks.grace.errors import BadRequest
from tzzr_mocks.grace.job import ABSENT, Chunk, Job, Order, Policy
from tzzr_mocks.grace.lifecycle import Status

WAIT_MS: Final = (1000, 300_000)
EXECUTION_TIMEOUT_MS: Final = (5000, 604_800_000)
TTL_MS: Final = (10_000, 604_800_000)

_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def dump(body: Any) -> bytes:
    """Compact JSON with sorted keys, UTF-8; what is half a character becomes U+FFFD, as in Go.

    Raises ValueError for NaN, infinities, and what JSON cannot say.
    """
    text = _ENCODER.encode(body)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def load(body: bytes) -> Any:
    """Read JSON strictly: no NaN, no infinities, UTF-8. Raises ValueError."""
    try:
        return json.loads(body.decode(), parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_order(body: bytes, *, object_input: bool = True) -> Order:
    """The job that a request body asks for. Raises `BadRequest`, which names the field (runpod.md §5)."""
    try:
        document = load(body)
    except ValueError:
        raise BadRequest("json is invalid") from None
    if not isinstance(document, dict):
        raise BadRequest("json is invalid; must be an object")
    return Order(
        input=_input(document, object_input),
        policy=_policy(document.get("policy")),
        webhook=_optional(document, "webhook", str, "a URL"),
        s3=_optional(document, "s3Config", dict, "an object"),
    )


def _input(document: Mapping[str, Any], object_input: bool) -> Any:
    value = document.get("input")
    if value is None:
        raise BadRequest("input is required")
    if object_input and not isinstance(value, dict):
        raise BadRequest("input is invalid; must be an object")
    return value


def _optional(document: Mapping[str, Any], name: str, kind: type, what: str) -> Any:
    value = document.get(name)
    if value is not None and not isinstance(value, kind):
        raise BadRequest(f"{name} is invalid; must be {what}")
    return value or None


def _policy(value: Any) -> Policy:
    if value is None:
        return Policy()
    if not isinstance(value, dict):
        raise BadRequest("policy is invalid; must be an object")
    default = Policy()
    low = value.get("lowPriority", default.low_priority)
    if not isinstance(low, bool):
        raise BadRequest("policy.lowPriority is invalid; must be a boolean")
    return Policy(
        _within(value, "executionTimeout", default.execution_timeout_ms, EXECUTION_TIMEOUT_MS),
        _within(value, "ttl", default.ttl_ms, TTL_MS),
        low,
    )


def _within(policy: Mapping[str, Any], name: str, default: int, bounds: tuple[int, int]) -> int:
    value = policy.get(name)
    if value is None:
        return default
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # JSON has one kind of numbers: 60000.0 is the integer 60000
    if not isinstance(value, int) or isinstance(value, bool) or not bounds[0] <= value <= bounds[1]:
        raise BadRequest(f"policy.{name} is invalid; must be between {bounds[0]} and {bounds[1]}")
    return value


def read_wait(text: str | None, default_ms: int) -> float:
    """The query's ``wait`` as seconds. Raises `BadRequest` with the captured words."""
    if text is None:
        return default_ms / 1000
    if not text.isascii() or not text.isdigit() or not WAIT_MS[0] <= int(text[:9]) <= WAIT_MS[1] or len(text) > 9:
        raise BadRequest(f"wait is invalid; must be between {WAIT_MS[0]} and {WAIT_MS[1]}")
    return int(text) / 1000


def read_ttl(text: str | None) -> float | None:
    """The query's ``ttl`` of ``/status`` as seconds, None when it is not given. Raises `BadRequest`."""
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise BadRequest("ttl is invalid; must be a number of milliseconds")
    return int(text) / 1000


def accepted(job: Job) -> dict[str, Any]:
    """What ``/run`` and ``/retry`` answer."""
    return {"id": job.id, "status": Status.IN_QUEUE}


def answer(job: Job, *, null_output: bool = False) -> dict[str, Any]:
    """What ``/status`` shows of a job in its present state (runpod.md §6, body per state)."""
    body: dict[str, Any] = {"id": job.id, "status": job.status}
    if job.status in (Status.IN_QUEUE, Status.CANCELLED):
        return body
    given = {
        "delayTime": job.delay_ms,
        "workerId": job.worker_id,
        "executionTime": job.execution_ms if job.status.final else None,
        "error": job.error,
        "retries": job.retries or None,
    }
    body.update((name, value) for name, value in given.items() if value is not None)
    if job.output is not ABSENT and (job.output is not None or null_output):
        body["output"] = job.output
    return body


def stream_answer(status: Status, chunks: list[Chunk]) -> dict[str, Any]:
    """What ``/stream`` answers: the status and the chunks that nobody has read yet."""
    return {"status": status, "stream": [_chunk(chunk) for chunk in chunks]}


def _chunk(chunk: Chunk) -> dict[str, Any]:
    body = {"output": chunk.output}
    if chunk.metrics is not ABSENT:
        body["metrics"] = chunk.metrics
    return body


def webhook_body(job: Job) -> dict[str, Any]:
    """What a webhook posts: the answer, with the request's ``input`` and ``webhook`` (runpod.md §9)."""
    return {**answer(job), "input": job.order.input, "webhook": job.order.webhook}
