"""What S-CONTRACT v2.1 demands of a service, as rules that are asked over RunPod or plain HTTP.

Written from the contract's text and RunPod's documents. Of the server's and the fakes' code it knows nothing.
"""

from __future__ import annotations

from tzzr_scenarios.conform.grace import (
    fields,
    form,
    language,
    media,
    platform,
    refusals,
    repeats,
    routing,
    vectors,
)
from tzzr_scenarios.conform.grace.book import BOOK

__all__ = ["BOOK", "fields", "form", "language", "media", "platform", "refusals", "repeats", "routing", "vectors"]
