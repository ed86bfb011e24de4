"""What others rely on, as one JSON document, and what a change of it means to them.

collected    the surface as it is: tools, resources, prompts, errors, contract, settings, commands, scenarios, rules
facets       what a change of one kind of thing means; `compared` puts them together
inclusion    whether one JSON Schema takes all that another one takes
released     the surface of the last release, and whether changelog.d says what has changed since
"""

from __future__ import annotations

from tzzr_scenarios.surface.changes import Change, Weight
from tzzr_scenarios.surface.compared import compare

__all__ = ["Change", "Weight", "compare"]
