"""The fakes that a world is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Final

from tzzr_mocks import faults as _faults  # noqa: F401 - registers the kinds that every fake shares
from tzzr_mocks.context import ContextFake
from tzzr_mocks.control import Control, PlanError
from tzzr_mocks.fake import Fake
from tzzr_mocks.grace import GraceFake
from tzzr_mocks.hst import HstFake
from tzzr_mocks.llm import LlmFake

Factory = Callable[[Control, str], Fake]


def _grace(control: Control, starting: str) -> Fake:
    return GraceFake(control, starting=starting)


def _hst(control: Control, starting: str) -> Fake:
    return HstFake(control, starting=starting)


def _context(control: Control, starting: str) -> Fake:
    return ContextFake(control, starting=starting)


def _llm(control: Control, starting: str) -> Fake:
    return LlmFake(control, starting=starting)


FACTORIES: Final[Mapping[str, Factory]] = MappingProxyType(
    {"grace": _grace, "hst": _hst, "context": _context, "llm": _llm}
)
"""Service to what builds its fake in a named starting world."""


def build(controls: Mapping[str, Control], starting: str) -> dict[str, Fake]:
    """Each control's fake, in the starting world ``starting`` where the fake has one of that name, else its default.

    Raises:
        PlanError: no fake has a starting world of that name; told is the fake that has the nearest.
    """
    built: dict[str, Fake] = {}
    refused: list[PlanError] = []
    for service, control in controls.items():
        try:
            built[service] = FACTORIES[service](control, starting)
        except PlanError as error:
            refused.append(error)
            built[service] = FACTORIES[service](control, "default")
    if len(refused) == len(controls):
        raise max(refused, key=lambda error: SequenceMatcher(None, starting, error.suggestion or "").ratio())
    return built
