"""Fuzz the fakes' own OpenAPI, the control plane's and the gateway's with schemathesis, and print every find."""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.bridge import Bridge
from tests.fuzz.engine import SEED, fuzz
from tests.fuzz.targets import TARGETS

EXAMPLES = 10
DEEP = 200


def main() -> int:
    """0 nothing was found; 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("api", nargs="*", metavar="API", help=f"of {', '.join(TARGETS)}; without any, all")
    parser.add_argument(
        "--deep", action="store_true", help=f"{DEEP} requests made up for each operation, not {EXAMPLES}"
    )
    parser.add_argument("--examples", type=int, help="so many requests made up for each operation")
    parser.add_argument("--seed", type=int, default=SEED, help="the same seed makes the same requests")
    options = parser.parse_args()
    if unknown := [name for name in options.api if name not in TARGETS]:
        parser.error(f"there is no API {unknown[0]!r}; there are {', '.join(TARGETS)}")
    examples = options.examples or (DEEP if options.deep else EXAMPLES)
    found = [_run(name, examples, options.seed, deep=options.deep) for name in options.api or TARGETS]
    return 1 if any(found) else 0


def _run(name: str, examples: int, seed: int, *, deep: bool) -> bool:
    """Whether something was found."""
    target = TARGETS[name]
    began = time.perf_counter()  # noqa: TID251 - how long it took, for the reader
    with Bridge(target.serve) as bridge:
        verdict = fuzz(bridge, target.settings(deep=deep), examples=examples, seed=seed)
    took = time.perf_counter() - began  # noqa: TID251
    told = ", ".join(f"{count} {phase}" for phase, count in verdict.cases.items())
    print(f"{name}: {bridge.requests} requests ({told}) in {took:.0f} s, {len(verdict.finds)} finds", flush=True)
    print(*verdict.finds, *verdict.troubles, sep="\n\n", end="\n\n" if not verdict.clean else "", flush=True)
    return not verdict.clean


if __name__ == "__main__":
    sys.exit(main())
