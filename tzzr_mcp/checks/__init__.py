"""What every program of the product checks alike, in one place and with the same words.

    arguments     a tool's arguments against its JSON Schema, with ``sentences`` for what it refuses
    visitors      whether a web request comes under a right name and from a right page (Host, Origin)
    environment   settings out of environment variables, every mistake at once
    summary       whether a text is a summary of its tables, or repeats them

It stands on nothing of the product, so that server, gateway and whoever comes next may import it.
"""

from __future__ import annotations
