"""The tests here need schemathesis, which only ``nox -s fuzz`` installs."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("schemathesis") else ["test_fuzz.py"]
