"""The official MCP conformance suite against this server: ``python -m tests.conformance`` (or ``nox -s conformance``)."""
