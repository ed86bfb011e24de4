"""A reply whose shape has changed since the client was written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tzzr_mocks.control.asgi import ASGIApp, RawHeaders, change_reply
from tzzr_mocks.control.fault import ReplyFault, Scene

_CHANGES: dict[str, Callable[[dict[str, Any], str], Any]] = {
    "drop": lambda owner, name: owner.pop(name),
    "rename": lambda owner, name: owner.__setitem__(f"{name}_v2", owner.pop(name)),
    "retype": lambda owner, name: owner.__setitem__(name, [owner[name]]),
    "null": lambda owner, name: owner.__setitem__(name, None),
    "add": lambda owner, name: owner.__setitem__(f"{name}_v2", owner[name]),
}


@dataclass(frozen=True)
class Drift(ReplyFault):
    """Each field called ``field`` in the JSON reply, however deep, is dropped, renamed, wrapped in a list or made null.

    Seen when an upstream ships a new version on a Friday. ``add`` only adds a field, which a client must bear. A
    reply that is not JSON stays as it is.

    YAML: ``- grace: every call has drift field=output change=drop``
    """

    kind = "drift"
    phrases = ("loses field {field}",)
    field: str = "id"
    change: Literal["drop", "rename", "retype", "null", "add"] = "drop"

    def wrap(self, app: ASGIApp, scene: Scene) -> ASGIApp:
        """Change the JSON."""

        def drifted(status: int, headers: RawHeaders, body: bytes) -> tuple[int, RawHeaders, bytes]:
            try:
                document = json.loads(body)
            except ValueError:
                return status, headers, body
            self._walk(document)
            return status, headers, json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()

        return change_reply(app, drifted)

    def _walk(self, value: Any) -> None:
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for child in list(children):
            self._walk(child)
        if isinstance(value, dict) and self.field in value:
            _CHANGES[self.change](value, self.field)
