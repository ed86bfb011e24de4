"""A breaker for each module of GRACE: one that fails again and again is left alone, and its neighbours go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from tzzr_mcp.contract.catalogue import MODULES
from tzzr_mcp.contract.errors import GRACE_CODES, Code, ContractError
from tzzr_mcp.seams import Seams
from tzzr_mcp.services.breaker import Breaker, State
from tzzr_mcp.services.failures import failure
from tzzr_mcp.services.troubles import UpstreamError

UNWELL: Final = frozenset({Code.MODULE_UNAVAILABLE, Code.MODULE_TIMEOUT, Code.INTERNAL, Code.FALLBACK_EXHAUSTED})
"""What a module reports when it is not well; with any other answer it works."""
LOST: Final = frozenset({Code.GRACE_JOB_FAILED, Code.GRACE_JOB_TIMEOUT, Code.GRACE_BAD_RESPONSE})
"""How its job ends without an answer of its own."""


class Resting(ContractError):
    """The module was not asked: it failed too often a moment ago."""


class NoResponse(ContractError):
    """The job ended without any S-CONTRACT response: here, and only here, the server walks the chain itself."""


class ModuleBreakers:
    """The breakers of the modules that were asked."""

    def __init__(self, service: str, seams: Seams) -> None:
        self._service = service
        self._seams = seams
        self._breakers: dict[str, Breaker] = {}

    @contextmanager
    def guard(self, module: str) -> Iterator[None]:
        """Around one job for ``module``.

        Raises:
            Resting: CIRCUIT_OPEN, with the seconds left.
        """
        try:
            with self._of(module).guard():
                yield
        except UpstreamError as error:
            raise Resting(
                failure(Code.CIRCUIT_OPEN, module, module=module, retry_after_s=error.retry_after_s)
            ) from error

    def heard(self, attempts: Sequence[Mapping[str, Any]]) -> None:
        """Learn from ``routing.attempts`` how the modules are that GRACE itself tried."""
        for attempt in attempts:
            code = attempt.get("error", {}).get("code")
            self._of(attempt["module"]).learn(failed=code in UNWELL)

    def troubled(self) -> dict[str, str]:
        """The state of each breaker that is not closed, by module."""
        states = {module: breaker.state for module, breaker in sorted(self._breakers.items())}
        return {module: str(state) for module, state in states.items() if state is not State.CLOSED}

    def _of(self, module: str) -> Breaker:
        if module not in self._breakers:
            judge = _walked if MODULES[module].chain else _alone
            self._breakers[module] = Breaker(self._service, self._seams, judge=judge, about={"module": module})
        return self._breakers[module]


def _alone(error: Exception) -> bool | None:
    """The judge of a module without a chain. What happened on the way to GRACE tells nothing about it."""
    if not isinstance(error, ContractError):
        return None
    told = error.failure
    if told.code in LOST:
        return told.retryable or None
    return told.code in UNWELL if told.code in GRACE_CODES else None


def _walked(error: Exception) -> bool | None:
    """The judge of a chain's head: a lost job is mended by walking the chain, so it does not count."""
    return None if isinstance(error, NoResponse) else _alone(error)
