"""The response of S-CONTRACT v2.1, strict about what it needs and blind to what it does not know (contract §2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator

from tzzr_mcp.contract.catalogue import MODULES, chain_of
from tzzr_mcp.contract.errors import GRACE_CODES
from tzzr_mcp.contract.results import RESULTS
from tzzr_mcp.contract.shapes import (
    Absent,
    Count,
    Growing,
    Hex64,
    ModuleName,
    OneOf,
    Timestamp,
    Uuid4,
    Violation,
    refuse,
    violations_of,
)

_ERROR_RULE: Final[dict[str, Any]] = {
    "if": {"properties": {"status": {"const": "ERROR"}}, "required": ["status"]},
    "then": {"required": ["error"]},
    "else": {"properties": {"error": {"not": {}}}},
}


class Problem(Growing):
    """Why a module, or the whole request, failed."""

    code: Annotated[str, OneOf(tuple(code.value for code in GRACE_CODES))]
    message: str = Field(min_length=1)
    retryable: bool
    details: Annotated[dict[str, Any] | None, Absent()] = None


class Attempt(Growing):
    """One module that was tried, in the order of the chain."""

    model_config = ConfigDict(json_schema_extra=_ERROR_RULE)

    module: ModuleName
    status: Literal["OK", "ERROR"]
    duration_ms: Count
    error: Annotated[Problem | None, Absent()] = Field(default=None, description="Present when status is ERROR")

    @model_validator(mode="after")
    def _tells_its_error(self) -> Self:
        if (self.status == "ERROR") != (self.error is not None):
            refuse("Attempt", [(("error",), "present exactly when status is ERROR")])
        return self


class EnvelopeEcho(Growing):
    """The ids of the request that this answers."""

    trace_id: Uuid4
    idempotency_key: Hex64
    timestamp: Timestamp = Field(description="When GRACE answered")


class Route(Growing):
    """Who was asked, who answered, who was tried."""

    module: str = Field(description="The one that was asked for, be it known or not; empty when the request named none")
    version: Literal["1.0"]
    resolved: ModuleName | None = Field(description="Who made the result; null on ERROR")
    attempts: list[Attempt]


class Metrics(Growing):
    """What the answer cost, and how far it is real."""

    duration_ms: Count
    simulated: bool = Field(description="A fake computed the answer")
    invented: bool = Field(description="Content was made up because it could not be computed offline")


class Response(Growing):
    """What GRACE returns as the job's output; `result` is one of the models of `RESULTS`, as JSON."""

    contract_version: Literal["2.1"]
    profile: Literal["LITE", "FULL"]
    envelope: EnvelopeEcho
    routing: Route
    status: Literal["OK", "DEGRADED", "ERROR"]
    result: dict[str, Any] | None
    failure: Problem | None
    metrics: Metrics

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        refuse("Response", [*_outcome_rules(self), *_attempt_rules(self), *_result_rules(self)])
        return self

    @property
    def attempts(self) -> list[dict[str, Any]]:
        """`routing.attempts` as JSON."""
        return [attempt.model_dump(exclude_none=True) for attempt in self.routing.attempts]


def _outcome_rules(response: Response) -> Iterator[Violation]:
    failed = response.status == "ERROR"
    if failed != (response.result is None):
        yield ("result",), "null exactly when status is ERROR"
    if failed != (response.failure is not None):
        yield ("failure",), "set exactly when status is ERROR"
    if response.routing.module not in MODULES:
        yield from _stranger_rules(response)
    elif response.status == "DEGRADED" and len(chain_of(response.routing.module)) == 1:
        yield ("routing", "module"), f"{response.routing.module} has no chain to fall back on"
    elif response.routing.resolved not in _who_may_answer(response):
        yield ("routing", "resolved"), f"{response.routing.resolved} cannot have answered with {response.status}"


def _stranger_rules(response: Response) -> Iterator[Violation]:
    """What holds where the request named a module that there is not, or none."""
    if response.status != "ERROR":
        yield ("routing", "module"), f"{response.routing.module[:60]!r} is no module, so it cannot have answered"
    if response.routing.resolved is not None:
        yield ("routing", "resolved"), "nobody can have answered"


def _who_may_answer(response: Response) -> tuple[str | None, ...]:
    chain = chain_of(response.routing.module)
    return {"OK": chain[:1], "DEGRADED": chain[1:], "ERROR": (None,)}[response.status]


def _attempt_rules(response: Response) -> Iterator[Violation]:
    tried = [(attempt.module, attempt.status) for attempt in response.routing.attempts]
    chain = chain_of(response.routing.module) if response.routing.module in MODULES else ()
    expected = [(name, "ERROR") for name in chain[: len(tried)]]
    if response.routing.resolved in chain:
        before = chain.index(response.routing.resolved)
        expected = [*((name, "ERROR") for name in chain[:before]), (chain[before], "OK")]
    if tried != expected:
        yield ("routing", "attempts"), f"not the chain {', '.join(chain)} up to the module that answered"


def _result_rules(response: Response) -> list[Violation]:
    if response.result is None or response.routing.module not in MODULES:
        return []
    try:
        RESULTS[response.routing.module].model_validate(response.result)
    except ValidationError as error:
        return violations_of(error, ("result",))
    return []
