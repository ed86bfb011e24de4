"""The chat gateway: a person asks in words, a model picks tools, the server runs them (seed 1).

    settings      what it reads from the environment
    events        what it tells its caller, and the messages of a conversation
    formodel      the one place where something becomes text for a model
    conversation  messages in, exchanges for the model out
    connect       ways to an MCP server; ``link`` holds one connection open
    catalogue     the tools, fetched before the first question, fixed within a turn
    results       a tool's result, split: text for the model, everything else for the screen
    turn          the loop: model, tools, model again, until the answer
    gateway       all of that as one object
    models        adapters of the model's two dialects
    api           FastAPI application with server-sent events (extra ``[gateway]``)

It reaches the server as an MCP client and knows none of its code. Tables, charts, links and notices go from the result
to the caller and never into a request to the model.
"""

from __future__ import annotations
