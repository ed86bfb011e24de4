"""What no ready-made linter holds: tests that assert, public names that are explained. ``nox -s lint`` runs it."""
