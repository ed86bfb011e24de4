"""How the tests of the HST fake ask it something."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from tests.tzzr_mocks.hst.replay import NOW
from tzzr_mcp.seams import Dice, LoopClock, Seams
from tzzr_mocks.control import Control
from tzzr_mocks.hst import HstFake, HstSettings
from tzzr_mocks.hst.conformance.cases import Case, read_tokens
from tzzr_mocks.hst.conformance.in_process import ask
from tzzr_mocks.hst.conformance.slots import Slots
from tzzr_mocks.hst.conformance.verdict import Sent

TOKENS = read_tokens()


def make_fake(starting: str = "recorded", **settings: Any) -> HstFake:
    """A fake of its own, on the loop's clock."""
    seams = Seams(LoopClock(NOW), Dice(7))
    return HstFake(Control("hst", seams), settings=HstSettings(**settings), starting=starting)


async def get(
    fake: HstFake, path: str, query: Mapping[str, Any] | str = "", *, who: str = "reader", **more: Any
) -> Sent:
    """One GET; ``query`` values that are no texts are sent as JSON."""
    return await send(fake, "GET", path, query, who=who, **more)


async def send(
    fake: HstFake, method: str, path: str, query: Mapping[str, Any] | str = "", *, who: str = "reader", **more: Any
) -> Sent:
    """One request; ``body`` is sent as JSON, ``headers`` as they are."""
    text = query if isinstance(query, str) else urlencode({key: _text(value) for key, value in query.items()})
    request = {"method": method, "path": path, "query": text, **more}
    return await ask(fake.app, Case("00_test-000", "default", who, request, {}), Slots(TOKENS))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def body(sent: Sent) -> Any:
    """The JSON of a reply."""
    return json.loads(sent.content)


def reason(sent: Sent) -> str:
    """The message of a refusal."""
    return str(body(sent)["errors"][0]["message"])
