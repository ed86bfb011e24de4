"""Operators that look by a standard: JSONPath (RFC 9535), JSON Schema, the published S-CONTRACT schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jsonpath_rfc9535
from jsonschema import Draft202012Validator, SchemaError

from tzzr_mcp.contract import schemas
from tzzr_scenarios.matchers.algebra import MISSING, Difference, MatcherError, matcher, operator, shown
from tzzr_scenarios.spelling import suggestion


@operator("path")
@dataclass(frozen=True)
class ByPath:
    """A mapping of JSONPath queries, each to what its first result must be (no result: ``absent``)."""

    expected: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.expected, Mapping):
            raise MatcherError(f"path takes a mapping of JSONPath to expectation, not {shown(self.expected)}")
        for query, spec in self.expected.items():
            _compile(query)
            matcher(spec)

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """The differences of what each query finds; several results are compared as a list."""
        for query, spec in self.expected.items():
            yield from matcher(spec).differences(_found(_compile(query), value), f"{path} {query}".strip())


def _found(query: jsonpath_rfc9535.JSONPathQuery, value: Any) -> Any:
    """The one result, or all; none of a query that names one place means that there is nothing."""
    results = list(query.find(value).values())
    if len(results) == 1:
        return results[0]
    return MISSING if not results and query.singular_query() else results


def _compile(query: str) -> jsonpath_rfc9535.JSONPathQuery:
    try:
        return jsonpath_rfc9535.compile(query)
    except jsonpath_rfc9535.JSONPathError as error:
        raise MatcherError(f"{shown(query)} is not a JSONPath (RFC 9535): {error}", (query,)) from error


@operator("schema")
@dataclass(frozen=True)
class BySchema:
    """A JSON Schema (2020-12) that the value fits."""

    expected: Any

    def __post_init__(self) -> None:
        try:
            Draft202012Validator.check_schema(self.expected)
        except SchemaError as error:
            raise MatcherError(f"not a JSON Schema: {error.message}") from error

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference per violation."""
        for error in Draft202012Validator(self.expected).iter_errors(value):
            where = f"{path}{error.json_path.removeprefix('$')}"
            yield Difference(where, f"{error.validator}: {shown(error.validator_value, 80)}", shown(error.instance))


@operator("contract")
@dataclass(frozen=True)
class ByContract:
    """A valid S-CONTRACT ``request`` or ``response``."""

    expected: str

    def __post_init__(self) -> None:
        if self.expected not in ("request", "response"):
            raise MatcherError(suggestion(str(self.expected), ["request", "response"], "contract takes"))

    def differences(self, value: Any, path: str) -> Iterator[Difference]:
        """One difference per violation of the published schema."""
        for error in schemas.validator(self.expected).iter_errors(value):
            where = f"{path}{error.json_path.removeprefix('$')}"
            yield Difference(where, f"{self.expected}.schema.json", error.message[:300])
