"""The gateway's page: its tables are what the code says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from tests.docs.blocks import blocks
from tzzr_mcp.gateway import failures
from tzzr_mcp.gateway.events import Event
from tzzr_mcp.gateway.failures import (
    Busy,
    LimitReached,
    Misread,
    ModelAstray,
    NotThere,
    Refused,
    ServerLost,
    Stopping,
    Told,
)
from tzzr_mcp.gateway.models.failures import SENTENCES, ModelError
from tzzr_mcp.gateway.script import settings_lines
from tzzr_mcp.gateway.settings import Limits

PAGE = Path(__file__).parents[2] / "docs" / "gateway.md"
Golden = Callable[[Path, str], str]
KINDS: tuple[type[BaseModel], ...] = get_args(get_args(Event)[0])
LIMITS = Limits()
REFUSALS: tuple[Refused, ...] = (
    LimitReached("rounds", LIMITS.rounds),
    LimitReached("tool_calls", LIMITS.tool_calls),
    LimitReached("tokens", LIMITS.tokens),
    LimitReached("time", LIMITS.timeout_s),
    LimitReached("loop", 3),
    ModelAstray("Eco"),
    ServerLost(),
    Stopping(),
    Busy(LIMITS.turns),
    Misread("…"),
    NotThere("…"),
)


def event_lines() -> Iterator[str]:
    """One line per event: its fields and what it is."""
    yield from ("| event | fields | what it is |", "|---|---|---|")
    for kind in KINDS:
        fields = [
            f"`{name}`{'' if info.is_required() else '?'}" for name, info in kind.model_fields.items() if name != "type"
        ]
        told = " ".join((kind.__doc__ or "").split()).replace("``", "`")
        yield f"| `{kind.model_fields['type'].default}` | {', '.join(fields)} | {told} |"


def error_lines() -> Iterator[str]:
    """One line per error that a person may be told of."""
    yield from ("| code | may work later | the sentence |", "|---|---|---|")
    told: list[Told] = [*(ModelError(code) for code in SENTENCES), *REFUSALS]
    for failure in told:
        yield f"| `{failure.code}` | {'yes' if failure.retryable else 'no'} | {failure.message} |"
    yield f"| `INTERNAL` | yes | {failures.INTERNAL} |"


def test_the_tables_are_what_the_code_says(golden_difference: Golden) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, lines in (("events", event_lines()), ("errors", error_lines()), ("settings", settings_lines())):
        before, _, rest = page.partition(f"<!-- {name} -->\n")
        _, _, after = rest.partition(f"<!-- /{name} -->")
        assert after, f"{PAGE} has no place for the {name}"
        page = "\n".join([f"{before}<!-- {name} -->", *lines, f"<!-- /{name} -->{after}"])
    assert golden_difference(PAGE, page) == ""


def test_every_refusal_is_in_the_table() -> None:
    def kinds(base: type[Any]) -> set[type[Any]]:
        return {kind for direct in base.__subclasses__() for kind in (direct, *kinds(direct))}

    assert kinds(Refused) == {type(refusal) for refusal in REFUSALS}


def test_the_example_names_what_there_is() -> None:
    (example,) = blocks(PAGE, "python")
    body = re.sub(r"^", "    ", example, flags=re.MULTILINE)
    names: dict[str, Any] = {}
    exec(compile(f"async def example(settings, seams, url):\n{body}", PAGE.name, "exec"), names)  # noqa: S102 - our own
    for line in example.splitlines():
        if line.startswith("from "):
            exec(line, names)  # noqa: S102 - as above
    assert {"over_http", "Message", "Gateway", "opened"} <= names.keys()
