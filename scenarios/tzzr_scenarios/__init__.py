"""Scenarios: files that say what happens below the server and what a client must see above it."""
