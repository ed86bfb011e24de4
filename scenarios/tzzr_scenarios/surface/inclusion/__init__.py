"""Whether one JSON Schema takes every value that another one takes, and if not, where it refuses one.

`refusals` is sound and not complete: where it finds nothing there is nothing, and what it cannot see through counts as a
refusal. It knows draft 2020-12 without a regular-expression solver: two patterns include each other when they are one
text. The library for this (jsonsubschema) stops at draft 4, knows neither ``if`` nor recursion, and does not say where.
"""

from __future__ import annotations

from tzzr_scenarios.surface.inclusion.comparison import refusals
from tzzr_scenarios.surface.inclusion.known import Refusal

__all__ = ["Refusal", "refusals"]
