"""Deliberate faults of the server, each at one seam, and the theme of the catalogue that must notice it.

A mutant is what a hurried change could leave behind: it starts, answers, and is wrong in one thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest

from tzzr_mcp.contract import translation
from tzzr_mcp.contract.catalogue import MODULES, TOOLS
from tzzr_mcp.contract.errors import Code, Failure
from tzzr_mcp.contract.request import Request
from tzzr_mcp.contract.response import Response
from tzzr_mcp.output import ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.seams import Deadline
from tzzr_mcp.server.runtime import Visit
from tzzr_mcp.services import failures
from tzzr_mcp.services.answers import Answer, failure_of
from tzzr_mcp.services.grace import Grace
from tzzr_mcp.services.hst import Hst, Library
from tzzr_mcp.services.jobs import JobState
from tzzr_mcp.services.kept_answers import Keeping
from tzzr_mcp.services.module_breakers import NoResponse
from tzzr_mcp.services.retry import Policy
from tzzr_mcp.services.runpod import Listener, RunPod
from tzzr_mcp.services.sentences import sentence
from tzzr_mcp.services.troubles import UpstreamError
from tzzr_mocks.addresses import ENVIRONMENT

Patch = pytest.MonkeyPatch
WHOLE = ToolOutput.structured


@dataclass(frozen=True)
class Mutant:
    """One fault: ``told`` as a reviewer would put it, ``theme`` the folder of scenarios that must turn red."""

    told: str
    theme: str
    apply: Callable[[Patch], None]

    def __str__(self) -> str:
        return self.told


def _wrong_module(patch: Patch) -> None:
    wrong = {**TOOLS, "clasificar": MODULES["SUMMARIZER"]}
    patch.setattr("tzzr_mcp.contract.translation.module_of", wrong.__getitem__)


def _swallowed(patch: Patch) -> None:
    def nothing(response: Response, module: str) -> None:
        """As if every answer of GRACE were a result."""

    patch.setattr("tzzr_mcp.services.grace.failure_of", nothing)


def _retries_all(patch: Patch) -> None:
    patch.setattr(UpstreamError, "retryable", property(lambda error: True))


def _leaks(patch: Patch) -> None:
    def told(*words: Any) -> str:
        return f"{sentence(*words)} (Authorization: Bearer {ENVIRONMENT['RUNPOD_API_KEY']})"

    patch.setattr("tzzr_mcp.services.failures.sentence", told)


def _deaf_to_retry_after(patch: Patch) -> None:
    def nothing(header: str | None, now: object) -> None:
        """As if no service ever asked for time."""

    patch.setattr("tzzr_mcp.services.http._seconds", nothing)


def _wrong_era(patch: Patch) -> None:
    patch.setattr("tzzr_mcp.server.errors.RESOURCE_NOT_FOUND", -32602)


def _without(part: str) -> Callable[[Patch], None]:
    def less(output: ToolOutput) -> dict[str, Any]:
        return {name: value for name, value in WHOLE(output).items() if name != part}

    return lambda patch: patch.setattr(ToolOutput, "structured", less)


def _one_answer_for_all(patch: Patch) -> None:
    patch.setattr(Keeping, "key", lambda keeping, request: keeping.realm)


def _cancels_nothing(patch: Patch) -> None:
    async def let_it_run(runpod: RunPod, *about: Any) -> None:
        """The job goes on, and costs."""

    patch.setattr(RunPod, "_abandon", let_it_run)


def _falls_back_at_once(patch: Patch) -> None:
    async def walk(grace: Grace, request: Request, deadline: Deadline, listener: Listener) -> Answer:
        if not MODULES[request.routing.module].chain:
            return await answered(grace, request, deadline, listener)
        lost = NoResponse(failures.failure(Code.GRACE_JOB_FAILED, request.routing.module))
        return await grace._walk(request, lost, deadline, listener)

    answered = Grace._answered
    patch.setattr(Grace, "_answered", walk)


def _ten_times_the_time(patch: Patch) -> None:
    def later(visit: Visit, tool: str | None = None) -> Deadline:
        told = deadline(visit, tool)
        return replace(told, at=told.at + 9 * told.remaining())

    deadline = Visit.deadline
    patch.setattr(Visit, "deadline", later)


def _hammers(patch: Patch) -> None:
    patch.setattr(Policy, "pause", lambda policy, retry, dice: 0.0)


def _passes_words_on(patch: Patch) -> None:
    def told(response: Response, module: str) -> Failure | None:
        own = failure_of(response, module)
        if own is None or response.failure is None:
            return own
        return replace(own, message=response.failure.message)

    patch.setattr("tzzr_mcp.services.grace.failure_of", told)


def _drops_a_parameter(patch: Patch) -> None:
    def less(arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in params(arguments).items() if name != "categories"}

    params = translation._params
    patch.setattr(translation, "_params", less)


def _silent(patch: Patch) -> None:
    async def nothing(state: JobState, text: str) -> None:
        """Nobody hears how far it is."""

    def listener(call: Call[Any]) -> Listener:
        return nothing

    patch.setattr("tzzr_mcp.plugins.grace.asking._listener", listener)


def _first_page_alone(patch: Patch) -> None:
    async def half(hst: Hst, name: str, deadline: Deadline, trace_id: UUID) -> Library:
        library = await read(hst, name, deadline, trace_id)
        return replace(library, entries=library.entries[:100])

    read = Hst._read
    patch.setattr(Hst, "_read", half)


MUTANTS: Sequence[Mutant] = (
    Mutant("clasificar asks for another module", "grace/herramientas", _wrong_module),
    Mutant("an error of GRACE is swallowed", "grace/errores", _swallowed),
    Mutant("a final refusal is tried again", "grace/runpod", _retries_all),
    Mutant("an error's sentence holds the key", "grace/errores", _leaks),
    Mutant("Retry-After is ignored", "grace/errores", _deaf_to_retry_after),
    Mutant("the older era gets the newer one's code", "protocolo/errores", _wrong_era),
    Mutant("the notice for the screen is dropped", "grace/facturas", _without("notice")),
    Mutant("a result does not say its source", "grace/herramientas", _without("source")),
    Mutant("one kept answer is given to every question", "grace/guardadas", _one_answer_for_all),
    Mutant("a stopped call's job is not cancelled", "tiempo/cancelacion", _cancels_nothing),
    Mutant("the chain is walked though the first engine is healthy", "grace/herramientas", _falls_back_at_once),
    Mutant("the deadline is ten times too late", "tiempo/plazo", _ten_times_the_time),
    Mutant("a failed request is sent again at once", "grace/errores", _hammers),
    Mutant("a module's own words are shown", "seguridad/texto-ajeno", _passes_words_on),
    Mutant("an argument is lost on its way", "grace/herramientas", _drops_a_parameter),
    Mutant("nobody hears of progress", "protocolo/avisos", _silent),
    Mutant("a library of tags is read half", "hst/tags", _first_page_alone),
)
