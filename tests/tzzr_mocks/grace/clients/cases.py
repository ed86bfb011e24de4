"""Which recorded case of which client is replayed by which test, and why a few are not.

No client is needed to read this: `tests/tzzr_mocks/grace/test_goldens.py` holds it against the recordings.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tests.tzzr_mocks.grace.clients.altered import altered
from tests.tzzr_mocks.grace.clients.stage import FAULTS, recorded

WRONG: Final = frozenset({*FAULTS, *altered(), "e404"}) - {"timed_out"}
"""Endpoints that answer everything wrongly."""

WAITING: Final = frozenset({"status_e408", "status_e429", "status_e429ra"})
"""Reads that Python's client repeats for as long as its retries last."""


def _met(client: str, prefix: str) -> tuple[str, ...]:
    """The cases in which one call meets one wrong answer."""
    return tuple(case for case in recorded(client) if case.startswith(prefix) and case.removeprefix(prefix) in WRONG)


Groups = Mapping[str, tuple[str, ...]]
"""Name of a group to its cases."""

SYNC: Final[Groups] = MappingProxyType(
    {
        "run meets": _met("python_sync", "run_"),
        "status meets": tuple(case for case in _met("python_sync", "status_") if case not in WAITING),
        "waits": tuple(sorted(WAITING)),
        "never ends in time": ("run_slow_12s",),
        "sent": ("run_wrapped", "run_unwrapped", "run_full", "run_empty_input", "run_empty_input_with_policy"),
        "asks nobody": ("adapter_retries", "no_key", "run_none"),
        "states": ("status_seq", "status_cached_after_final"),
        "output": (
            "output_t10", "output_failed_t3", "output_timed_out_t3", "output_cancelled_t3", "output_noout_t3",
            "output_falsy_t3", "output_running_t3", "output_t1", "output_t0_in_queue",
        ),
        "run_sync": tuple(
            f"run_sync_{endpoint}_t4"
            for endpoint in ("ok", "failed", "timed_out", "cancelled", "queued_then_ok", "inprog", "never")
        ),
        "stream": (
            "stream_ok", "stream_failed", "stream_timed_out", "stream_splitfinal", "stream_chunkmetrics",
            "stream_nostream", "stream_chunkerr",
        ),
        "endless": ("stream_cancelled",),
        "others": ("cancel", "health", "purge"),
        "others meet": ("run_sync_e401", "health_e401", "cancel_e404", "runsync_noid"),
    }
)  # fmt: skip

ASYNC: Final[Groups] = MappingProxyType(
    {
        "run meets": _met("python_asyncio", "a_run_"),
        "status meets": _met("python_asyncio", "a_status_"),
        "sent": ("a_run", "a_run_with_input_key"),
        "states": ("a_run_status_output",),
        "output": (
            "a_output_t10", "a_output_failed", "a_output_timed_out", "a_output_cancelled", "a_output_noout",
            "a_output_falsy",
        ),
        "asks nobody": ("a_output_t0_in_queue",),
        "stream": ("a_stream_ok", "a_stream_failed", "a_stream_splitfinal", "a_stream_nostream", "a_stream_chunkerr"),
        "endless": ("a_stream_cancelled",),
        "others": ("a_cancel_health_purge",),
    }
)  # fmt: skip

JS: Final[Groups] = MappingProxyType(
    {
        "run meets": _met("javascript", "js_run_"),
        "status meets": _met("javascript", "js_status_"),
        "never ends in time": ("js_run_slow_12s",),
        "states": ("js_status", "js_statusSync"),
        "runSync": tuple(
            f"js_runSync_{name}"
            for name in ("ok", "failed", "timed_out", "cancelled", "queued_then_ok", "never", "e401", "e201", "noid")
        ),
        "wait": tuple(f"js_runSync_{name}" for name in ("default_wait", "200000", "500", "timeout_in_body")),
        "stream": tuple(
            f"js_stream_{name}"
            for name in (
                "ok", "failed", "timed_out", "cancelled", "nostream", "splitfinal", "chunkerr", "chunkmetrics",
                "never_t500", "e404",
            )
        ),
        "others": ("js_run", "js_statusSync_default", "js_cancel", "js_health", "js_purge"),
    }
)  # fmt: skip

NOT_REPLAYED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "js_run_no_input_wrapper": "the stub took a body without `input`, which RunPod refuses with 400 (check 3)",
        "js_nokey": "without a key the client leaves its options aside and calls the real host",
    }
)
"""Cases that no test can replay, each with the reason."""

BY_CLIENT: Final[Mapping[str, Groups]] = MappingProxyType(
    {"python_sync": SYNC, "python_asyncio": ASYNC, "javascript": JS}
)
"""The groups of each client's recordings."""
