"""What the process does, in Prometheus' text format: counted from the trace's events, so nothing else knows of it.

Imported by the HTTP transports alone. Labels are names of the catalogue, services and codes: never a path, an id or
anything that a user or an upstream wrote. Several worker processes have each their own numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.process_collector import ProcessCollector
from starlette.requests import Request
from starlette.responses import Response

from tzzr_mcp.seams import Event
from tzzr_mcp.server.build import TzzrServer

CALL_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 40, 50, 60, 120)
"""Bounds of a call's histogram: up to the deadline, and beyond the one of tools that have more time."""
REQUEST_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Bounds of a request's histogram: up to the time that one request has."""


class Metrics:
    """The numbers of one server, from the moment at which this is made."""

    def __init__(self, server: TzzrServer) -> None:
        self._clock = server.runtime.seams.clock
        self._begun: dict[tuple[str, ...], float] = {}
        self._kinds: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "tool.start": self._call_began,
            "tool.end": self._call_ended,
            "upstream.request": self._request_began,
            "upstream.answer": self._request_ended,
            "retry": lambda told: self._retries.labels(told["service"], told["reason"]).inc(),
            "fallback": lambda told: self._fallbacks.labels(told["module"]).inc(),
            "cache": lambda told: self._cache.labels(told["outcome"]).inc(),
            "breaker": self._breaker_moved,
            "seats": lambda told: self._seats.labels(told["service"]).set(told["taken"]),
            "queue": lambda told: self._queue.labels(told["service"]).set(told["waiting"]),
        }
        self.registry = CollectorRegistry()
        self._make(self.registry)
        running = server.runtime.running
        self._in_flight("tzzr_requests_in_flight", "MCP requests being answered").set_function(lambda: len(running))
        server.runtime.seams.trace.listen(self._hear)

    async def answer(self, request: Request) -> Response:
        """``GET /metrics``."""
        return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)

    def _make(self, registry: CollectorRegistry) -> None:
        self._calls = Counter("tzzr_calls", "Tool calls by outcome", ["tool", "outcome"], registry=registry)
        self._call_s = Histogram(
            "tzzr_call_seconds", "How long tool calls took", ["tool"], buckets=CALL_SECONDS, registry=registry
        )
        self._attempts = Counter(
            "tzzr_upstream_attempts",
            "Requests to a service, each retry and poll counted, by HTTP status or trouble",
            ["service", "outcome"],
            registry=registry,
        )
        self._request_s = Histogram(
            "tzzr_upstream_request_seconds",
            "How long requests to a service took",
            ["service"],
            buckets=REQUEST_SECONDS,
            registry=registry,
        )
        self._waiting = Gauge("tzzr_upstream_in_flight", "Requests to a service now", ["service"], registry=registry)
        self._seats = Gauge("tzzr_upstream_calls", "Calls about a service now", ["service"], registry=registry)
        self._queue = Gauge(
            "tzzr_upstream_queue",
            "Those of them whose job waits in the service's own queue",
            ["service"],
            registry=registry,
        )
        self._retries = Counter(
            "tzzr_retries", "Requests decided to be sent again, by why", ["service", "reason"], registry=registry
        )
        self._fallbacks = Counter(
            "tzzr_fallbacks", "Modules that the server itself fell back to", ["module"], registry=registry
        )
        self._cache = Counter("tzzr_cache", "Questions by hit, miss or joined", ["outcome"], registry=registry)
        self._open = Gauge(
            "tzzr_breaker_open", "1 from a breaker's opening until it closes", ["service", "module"], registry=registry
        )
        ProcessCollector(registry=registry)

    def _in_flight(self, name: str, text: str) -> Gauge:
        return Gauge(name, text, registry=self.registry)

    def _hear(self, event: Event) -> None:
        heard = self._kinds.get(event.kind)
        if heard is not None and event.source == "server":
            heard(event.details)

    def _call_began(self, told: Mapping[str, Any]) -> None:
        self._begun[_call(told)] = self._clock.monotonic()

    def _call_ended(self, told: Mapping[str, Any]) -> None:
        self._calls.labels(told["tool"], told["outcome"]).inc()
        if (took := self._took(_call(told))) is not None:
            self._call_s.labels(told["tool"]).observe(took)

    def _request_began(self, told: Mapping[str, Any]) -> None:
        self._begun[_request(told)] = self._clock.monotonic()
        self._waiting.labels(told["service"]).inc()

    def _request_ended(self, told: Mapping[str, Any]) -> None:
        self._attempts.labels(told["service"], str(told.get("status") or told.get("trouble"))).inc()
        if (took := self._took(_request(told))) is not None:
            self._request_s.labels(told["service"]).observe(took)
            self._waiting.labels(told["service"]).dec()

    def _breaker_moved(self, told: Mapping[str, Any]) -> None:
        self._open.labels(told["service"], told.get("module", "")).set(told["state"] != "closed")

    def _took(self, what: tuple[str, ...]) -> float | None:
        """Seconds since ``what`` began; None when that was before anybody listened."""
        begun = self._begun.pop(what, None)
        return None if begun is None else self._clock.monotonic() - begun


def _call(told: Mapping[str, Any]) -> tuple[str, ...]:
    return (told["trace_id"],)


def _request(told: Mapping[str, Any]) -> tuple[str, ...]:
    # One call sends the same request again only when the one before has ended.
    return (told["trace_id"], told["service"], told["method"], told["path"])
