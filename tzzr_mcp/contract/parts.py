"""An answer in parts: what GRACE yields before the response, when a request's envelope has `stream` (contract §2).

Parts are an offer. They show a text while it is being written; what counts is the response, which comes last.
"""

from __future__ import annotations

from pydantic import Field, ValidationError

from tzzr_mcp.contract.shapes import Count, Growing, Uuid4


class Part(Growing):
    """One piece of the result's text; the pieces in their order, joined, are the whole of it."""

    trace_id: Uuid4 = Field(description="The request's own")
    part: Count = Field(description="0 for the first piece, and one more for each that follows")
    text: str = Field(min_length=1)


class Parts:
    """Reads the parts of the answer to one request, and believes them only as long as they are without a gap."""

    def __init__(self, trace_id: str) -> None:
        self._trace_id = trace_id
        self._next: int | None = 0

    def text_of(self, item: object) -> str:
        """The text in one item that was yielded; empty when it is no part, another request's, or out of order.

        After a part that was lost, or a beginning anew (another module of a chain), nothing more is told.
        """
        try:
            part = Part.model_validate(item)
        except ValidationError:
            return ""
        if part.trace_id != self._trace_id or part.part != self._next:
            self._next = None
            return ""
        self._next += 1
        return part.text
