"""The fake's OpenAPI document: every route, what it takes, every answer that it gives while no fault is planned.

RunPod publishes none for its queue endpoints. This one tells of the fake, and follows its `Options`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tzzr_mocks.grace.crew import COUNTERS
from tzzr_mocks.grace.errors import HTML
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.options import Options
from tzzr_mocks.grace.schemas import EXECUTION_TIMEOUT_MS, TTL_MS, WAIT_MS
from tzzr_mocks.openapi import (
    ANYTHING,
    BOOLEAN,
    EVENTS,
    INTEGER,
    JSON,
    STRING,
    TEXT,
    Json,
    answer,
    body,
    link,
    listed,
    maybe,
    named,
    parameter,
    record,
)

_COUNT: Final[Json] = {"type": "integer", "minimum": 0}
_EMPTY: Final[Json] = {"type": "string", "maxLength": 0}
_JOBS: Final = ("completed", "failed", "inProgress", "inQueue", "retried")
_OF_A_JOB: Final = {
    "status": "where it stands", "statusSync": "its end", "stream": "its chunks", "cancel": "ends it",
    "retry": "queues it again, when it has failed",
}  # fmt: skip


def document(options: Options) -> Json:
    """The document, as the fake with these options answers."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "RunPod Serverless, faked",
            "version": "2",
            "description": "Queue endpoints as a fake plays them. Planned faults answer in ways that are not told here.",
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}, {"key": []}],
        "paths": _paths(options),
        "components": {
            "schemas": _schemas(options),
            "responses": _refusals(options),
            "parameters": {
                "endpoint": parameter("endpoint_id", "path", "The endpoint.", _name("grace")),
                "job": parameter("job_id", "path", "The job.", STRING),
                "wait": parameter("wait", "query", "Milliseconds to hold the answer.", _between(*WAIT_MS)),
                "ttl": parameter(
                    "ttl", "query", "Milliseconds that the job has left from now.", _between(0, 10**12 - 1)
                ),
            },
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "Authorization", "description": "The bare key."},
            },
        },
    }


def _name(example: str) -> Json:
    return {"type": "string", "minLength": 1, "pattern": "^[^/]+$", "examples": [example]}


def _between(low: int, high: int) -> Json:
    return {"type": "integer", "minimum": low, "maximum": high}


def _paths(options: Options) -> Json:
    prefix = f"{options.api_base}/{{endpoint_id}}"
    started = _operation(options, "The job waits in the queue.", named("Accepted"), body=True, links=_links())
    held = _operation(options, "The job as it stands.", named("Job"), "wait", body=True, links=_links())
    state = _operation(options, "The job as it stands.", named("Job"), "job", "ttl")
    waited = _operation(options, "The job as it stands.", named("Job"), "job", "wait")
    streamed = _operation(options, "What nobody has read yet.", named("Stream"), "job", "wait")
    cancelled = _operation(options, "The job has ended.", named("State"), "job")
    again = _operation(options, "The job waits in the queue.", named("Accepted"), "job")
    return {
        f"{prefix}/run": {"post": started("run", "Queue a job")},
        f"{prefix}/runsync": {"post": held("runSync", "Queue a job and wait for its end")},
        f"{prefix}/status/{{job_id}}": _both(state, "status", "Tell where a job stands"),
        f"{prefix}/status-sync/{{job_id}}": _both(waited, "statusSync", "Wait for a job's end"),
        f"{prefix}/stream/{{job_id}}": _both(streamed, "stream", "Read what a job has written"),
        f"{prefix}/cancel/{{job_id}}": {"post": cancelled("cancel", "End a job")},
        f"{prefix}/retry/{{job_id}}": {"post": again("retry", "Queue a failed job again")},
        f"{prefix}/purge-queue": {"post": _operation(options, "Done.", _PURGED)("purgeQueue", "Remove what waits")},
        f"{prefix}/health": {"get": _operation(options, "The counters.", named("Health"))("health", "Count")},
        f"{prefix}/requests": {"get": _operation(options, "The jobs.", _REQUESTS)("requests", "List the jobs")},
        f"{prefix}/metrics": {"get": _operation(options, "The workers.", _METRICS)("metrics", "Tell of the workers")},
        f"{prefix}/openai/{{rest}}": {"post": _openai(options)},
    }


_PURGED: Final = record({"removed": _COUNT, "status": {"const": "completed"}})
_WORKERS: Final = record(dict.fromkeys(COUNTERS, _COUNT), closed=True)
_METRICS: Final = record({"readyWorkers": listed(STRING), "workers": _WORKERS}, closed=True)
_REQUESTS: Final = record({"requests": listed(named("Job"))}, closed=True)
_Described = Callable[[str, str], Json]


def _operation(
    options: Options, told: str, schema: Json, *parameters: str, body: bool = False, links: Json | None = None
) -> _Described:
    """What makes an operation of its id and its summary. ``body``: it takes a job's order."""
    answers = {"200": answer(told, schema, **({"links": links} if links else {})), **_turned_away()}
    if body or parameters:
        answers["400"] = named("refused", "responses")
    if body:
        answers[str(options.too_large_status)] = named("refused", "responses")
    if parameters[:1] == ("job",) and schema == named("Accepted"):
        answers[str(options.retry_refused_status)] = named("refused", "responses")
    taken = {"requestBody": _ORDER} if body else {}
    places = [named(name, "parameters") for name in ("endpoint", *parameters)]

    def described(identity: str, summary: str) -> Json:
        return {"operationId": identity, "summary": summary, "parameters": places, **taken, "responses": answers}

    return described


_ORDER: Final = body(named("Order"), example={"input": {"prompt": "Hola"}, "policy": {"ttl": 60_000}})


def _turned_away() -> Json:
    return {
        "401": named("unauthorized", "responses"),
        "404": named("gone", "responses"),
        "429": named("tooMany", "responses"),
    }


def _both(described: _Described, identity: str, summary: str) -> Json:
    return {"get": described(identity, summary), "post": described(f"{identity}Post", summary)}


def _links() -> Json:
    where = {"endpoint_id": "$request.path.endpoint_id", "job_id": "$response.body#/id"}
    return {name: link(name, told, **where) for name, told in _OF_A_JOB.items()}


def _openai(options: Options) -> Json:
    answers = {
        "200": {
            "description": "The worker's own words.",
            "content": {JSON: {"schema": ANYTHING}, EVENTS: {"schema": ANYTHING}},
        },
        **_turned_away(),
        "400": named("refused", "responses"),
        "500": answer("The job has failed, in the worker's words.", STRING, TEXT),
    }
    return {
        "operationId": "openai",
        "summary": "Hand a request of OpenAI's API to a worker",
        "parameters": [
            named("endpoint", "parameters"),
            parameter("rest", "path", "OpenAI's route.", _name("v1/models")),
        ],
        "requestBody": body({"type": "object"}, example={"model": "m", "prompt": "Hola"}),
        "responses": answers,
    }


def _schemas(options: Options) -> Json:
    status: Json = {"type": "string", "enum": [str(one) for one in Status]}
    given = {"type": "object"} if options.object_input else {"not": {"type": "null"}}
    policy = record(
        {},
        {
            "executionTimeout": maybe(_between(*EXECUTION_TIMEOUT_MS)),
            "ttl": maybe(_between(*TTL_MS)),
            "lowPriority": BOOLEAN,
        },
    )
    extra = {"policy": maybe(policy), "webhook": maybe(STRING), "s3Config": maybe({"type": "object"})}
    told = {"delayTime": _COUNT, "executionTime": _COUNT, "workerId": STRING, "error": STRING, "retries": _COUNT}
    chunk = record({"output": ANYTHING}, {"metrics": ANYTHING}, closed=True)
    counts = record(dict.fromkeys(_JOBS, INTEGER), closed=True)
    return {
        "Order": record({"input": given}, extra),
        "Accepted": record({"id": STRING, "status": {"const": "IN_QUEUE"}}, closed=True),
        "State": record({"id": STRING, "status": status}, closed=True),
        "Job": record({"id": STRING, "status": status}, {**told, "output": ANYTHING}, closed=True),
        "Stream": record({"status": status, "stream": listed(chunk)}, closed=True),
        "Health": record({"jobs": counts, "workers": _WORKERS}, closed=True),
        "Refusal": record({"error": STRING}, closed=True),
    }


def _refusals(options: Options) -> Json:
    error = named("Refusal")
    unauthorized = {
        "empty": answer("No key, or a wrong one.", _EMPTY, TEXT),
        "json": answer("No key, or a wrong one.", error),
        "gateway": answer("No key, or a wrong one.", record({"status": INTEGER, "title": STRING, "detail": STRING})),
    }
    gone = {
        "json": answer("No such endpoint, or no such job any more.", error),
        "empty": answer("No such endpoint, or no such job any more.", _EMPTY, TEXT),
        "html": answer("No such endpoint, or no such job any more.", STRING, HTML),
    }
    after = {"Retry-After": {"schema": STRING}} if options.retry_after_s is not None else {}
    return {
        "refused": answer("What is wrong with the request.", error),
        "unauthorized": unauthorized[options.unauthorized],
        "gone": gone[options.not_found],
        "tooMany": answer(
            "Too many requests, or too long a queue.", _EMPTY, TEXT, **({"headers": after} if after else {})
        ),
    }
