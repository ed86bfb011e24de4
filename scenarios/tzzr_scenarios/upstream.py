"""What the services must have seen: requests found in the journal, and the nearest ones where they are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from tzzr_mocks.control import Exchange
from tzzr_scenarios.language.models import Seen
from tzzr_scenarios.matchers import Difference, matcher, shown

_NEAREST = 3


def differences(expected: Mapping[str, Sequence[Seen]], exchanges: Sequence[Exchange]) -> Iterator[Difference]:
    """Every difference between the requests that were expected and those that came."""
    for service, wanted in expected.items():
        came = [exchange for exchange in exchanges if exchange.service == service]
        if not wanted and came:
            yield Difference(f"upstream.{service}", "no request", _told(came))
        for seen in wanted:
            yield from _one(service, seen, came)


def _one(service: str, seen: Seen, came: Sequence[Exchange]) -> Iterator[Difference]:
    found = [exchange for exchange in came if not _off(seen, exchange)]
    if "times" in seen.model_fields_set:
        off = list(matcher(seen.times).differences(len(found), "times"))
    else:
        off = [] if found else [Difference("times", "at least 1", "0")]
    for difference in off:
        nearest = found or sorted(came, key=lambda exchange: len(_off(seen, exchange)))[:_NEAREST]
        near = "\n".join(f"{exchange.line()}{_why(seen, exchange)}" for exchange in nearest)
        got = f"{difference.got}; {f'nearest:{chr(10)}{near}' if near else 'no request came'}"
        yield Difference(f"upstream.{service} {_named(seen)}", f"{difference.expected} times", got)


def _named(seen: Seen) -> str:
    method, path = _request(seen)
    return f"{method} {path}{f' {seen.module}' if seen.module else ''}"


def _request(seen: Seen) -> tuple[str, str]:
    return next((method, path) for method in Seen.methods if (path := getattr(seen, method)) is not None)


def _off(seen: Seen, exchange: Exchange) -> list[Difference]:
    """What about one exchange is not as wanted."""
    method, path = _request(seen)
    off: list[Difference] = []
    if exchange.method != method or not _is_path(path, exchange):
        off.append(Difference("request", f"{method} {path}", f"{exchange.method} {exchange.path}"))
    if seen.module is not None and exchange.module != seen.module:
        off.append(Difference("module", seen.module, str(exchange.module)))
    looked_at: dict[str, Any] = {"status": exchange.status, "body": exchange.json(), "query": _query(exchange)}
    for name in looked_at.keys() & seen.model_fields_set:
        off.extend(matcher(getattr(seen, name)).differences(looked_at[name], name))
    return off


def _is_path(path: str, exchange: Exchange) -> bool:
    """The whole path, its end (``/run`` of ``/v2/grace/run``), or the route's template (``/status/{job_id}``)."""
    return exchange.path.endswith(path) or (exchange.route or "").endswith(f" {path}")


def _query(exchange: Exchange) -> dict[str, str]:
    return dict(parse_qsl(exchange.query, keep_blank_values=True))


def _why(seen: Seen, exchange: Exchange) -> str:
    return "".join(f"\n    {off.path}: wanted {off.expected}, was {off.got}" for off in _off(seen, exchange))


def _told(exchanges: Sequence[Exchange]) -> str:
    lines = "\n".join(exchange.line() for exchange in exchanges[:_NEAREST])
    return f"{len(exchanges)} requests:\n{lines}" if len(exchanges) > 1 else f"{shown(1)} request:\n{lines}"
