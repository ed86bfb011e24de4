"""The suite: a pinned npm package, and the Node that it needs, which npm brings too."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
NODE_MAJOR = "22"
REVISIONS = ("2025-11-25", "2026-07-28")

_MACHINES = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_SUMMARY = re.compile(r"^Total: .*$", re.MULTILINE)
_FOLDER = re.compile(r"^server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z$")


@dataclass(frozen=True)
class Run:
    """One frozen set: the suite's exit code and last line, the scenarios that ran, ``scenario:check`` that did not pass.

    A warning counts as not passed.
    """

    code: int
    summary: str
    scenarios: frozenset[str]
    failed: frozenset[str]


@dataclass(frozen=True)
class Suite:
    """The installed suite: Node, the suite's program, and where results go."""

    node: Path
    program: Path
    results: Path

    def run(self, revision: str, url: str) -> Run:
        """Run the frozen set of ``revision`` against ``url``, whose host must be localhost."""
        out = self.results / revision
        shutil.rmtree(out, ignore_errors=True)
        words = [self.node, self.program, "server", "--url", url, "--requirements", revision, "-o", out]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        summary = _SUMMARY.search(done.stdout)
        if summary is None:
            sys.exit(f"the conformance suite did not finish:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return Run(done.returncode, summary[0], *_results(out))


def install(folder: Path) -> Suite:
    """Install suite and Node below ``folder`` with npm.

    Exits with the reason when npm is not there or cannot install them.
    """
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("the conformance suite is an npm package; install npm (it comes with Node.js)")
    node = f"node-{'win' if sys.platform == 'win32' else sys.platform}-{_MACHINES.get(platform.machine(), 'x64')}"
    words = [
        npm,
        "install",
        "--prefix",
        str(folder),
        "--no-audit",
        "--no-fund",
        "--silent",
        SUITE,
        f"{node}@{NODE_MAJOR}",
    ]
    done = subprocess.run(words, check=False)
    if done.returncode:
        sys.exit(f"npm could not install {SUITE} and {node}@{NODE_MAJOR}")
    modules = folder / "node_modules"
    program = modules / SUITE.rpartition("@")[0] / "dist" / "index.js"
    return Suite(modules / node / "bin" / "node", program, folder / "results")


def _results(out: Path) -> tuple[frozenset[str], frozenset[str]]:
    scenarios, failed = set(), set()
    for file in out.glob("*/checks.json"):
        named = _FOLDER.match(file.parent.name)
        if named is None:
            continue
        scenarios.add(named["scenario"])
        checks = json.loads(file.read_text(encoding="utf-8"))
        failed |= {f"{named['scenario']}:{each['id']}" for each in checks if each["status"] in {"FAILURE", "WARNING"}}
    return frozenset(scenarios), frozenset(failed)
