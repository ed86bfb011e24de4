"""What the gateway tells its caller, one event at a time: frozen models, told apart by ``type``.

Over HTTP each is one server-sent event, ``event:`` its type and ``data:`` its JSON without what is None. The order of
a turn: ``text`` and ``tool`` as they happen; after ``tool`` finished, that call's ``notice``, ``table`` (and ``rows``),
``chart`` and ``links``; at most one ``error``; always one ``done``, the last.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Cell = str | int | float | bool | None
ROWS = 1000
"""Rows of a table that one event carries; a longer table goes on in ``rows`` events."""


class Part(BaseModel):
    """A value that travels in events."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Source(Part):
    """Where a result comes from, as the plugin declares it."""

    name: str
    kind: Literal["service", "dataset", "computation"]
    retrieved_at: datetime
    simulated: bool
    url: str | None = None
    license: str | None = None


class Column(Part):
    """One column; ``key`` is what charts refer to."""

    key: str
    title: str
    type: Literal["text", "integer", "number", "date", "boolean"]
    unit: str | None = None


class Table(Part):
    """A table as the plugin gave it. ``total`` is how many rows it has; ``rows`` are the first `ROWS` of them."""

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: list[list[Cell]]
    total: int


class Chart(Part):
    """A drawing of columns of the table ``table`` of the same call; it holds no numbers of its own."""

    id: str
    title: str
    table: str
    kind: Literal["line", "bar", "area", "pie"]
    x: str
    y: tuple[str, ...]
    stacked: bool = False


class Link(Part):
    """A way from the answer to the data behind it."""

    title: str
    uri: str
    media_type: str | None = None


class Notice(Part):
    """A message of the plugin's own for the person; the model never sees it."""

    level: Literal["info", "warning", "error"]
    text: str


class Usage(Part):
    """Tokens of a turn: as the model counted them, or a quarter of the characters where it does not count."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total(self) -> int:
        """Both together."""
        return self.input_tokens + self.output_tokens


class Requested(Part):
    """A tool call that the model asked for."""

    id: str = Field(min_length=1, max_length=200)
    name: str = Field(max_length=200)
    arguments: dict[str, Any] = Field(default_factory=dict)


class Message(BaseModel):
    """One message of a conversation, as callers send it and as ``done`` gives it back.

    ``user`` is a question. ``assistant`` is prose, with the tool calls that it asks for. ``tool`` is the text of the
    call ``call``; nothing else of a result ever becomes a message.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["user", "assistant", "tool"]
    content: str = Field(default="", max_length=200_000)
    calls: tuple[Requested, ...] = Field(default=(), max_length=64)
    call: str | None = Field(default=None, max_length=200)
    ok: bool = True


class TextEvent(Part):
    """A piece of the model's prose."""

    type: Literal["text"] = "text"
    delta: str


class ToolEvent(Part):
    """A tool call has started, or has finished: then with its outcome, its text, its source and how long it took.

    ``trace_id`` is what the server's log calls the run. ``call`` names the run in every other event about it.
    """

    type: Literal["tool"] = "tool"
    phase: Literal["started", "finished"]
    call: str
    name: str
    title: str
    arguments: dict[str, Any]
    outcome: Literal["ok", "error"] | None = None
    text: str | None = None
    trace_id: str | None = None
    duration_ms: int | None = None
    source: Source | None = None


class TableEvent(Part):
    """A table, with its first 1000 rows; ``total`` says how many there are."""

    type: Literal["table"] = "table"
    call: str
    table: Table


class RowsEvent(Part):
    """The next rows of a table, 1000 at most; ``start`` is the place of the first one."""

    type: Literal["rows"] = "rows"
    call: str
    table_id: str
    start: int
    rows: list[list[Cell]]


class ChartEvent(Part):
    """A chart."""

    type: Literal["chart"] = "chart"
    call: str
    chart: Chart


class LinksEvent(Part):
    """Ways to the data behind the answer."""

    type: Literal["links"] = "links"
    call: str
    links: tuple[Link, ...]


class NoticeEvent(Part):
    """A message for the person; without ``call`` it is the gateway's own."""

    type: Literal["notice"] = "notice"
    call: str | None = None
    notice: Notice


class ErrorEvent(Part):
    """What went wrong, as a Spanish sentence; ``retryable`` says whether the same question may work later."""

    type: Literal["error"] = "error"
    code: str
    message: str
    retryable: bool


Stopped = Literal["answer", "limit", "error", "cancelled"]


class DoneEvent(Part):
    """The end of a turn. ``messages`` are what the caller appends to the conversation before the next question."""

    type: Literal["done"] = "done"
    stopped: Stopped
    usage: Usage
    rounds: int
    tool_calls: int
    messages: tuple[Message, ...]


Event = Annotated[
    TextEvent | ToolEvent | TableEvent | RowsEvent | ChartEvent | LinksEvent | NoticeEvent | ErrorEvent | DoneEvent,
    Field(discriminator="type"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
"""Parses an event: ``EVENT.validate_json(data)``."""


_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
"""Line ends beside those that JSON escapes anyway; they can only stand inside of texts."""


def as_json(event: Event) -> str:
    """The ``data:`` of a server-sent event: JSON without what is None (cells apart), one line to whoever parts lines."""
    text = event.model_dump_json(exclude_none=True)
    return text.translate(_LINE_ENDS)
