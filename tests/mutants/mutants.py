"""The mutants of a run: what each changes and whether a test noticed."""

from __future__ import annotations

import contextlib
import json
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

KILLED = frozenset({1})
"""How a fork ends when a test fails."""
OUT_OF_TIME = frozenset({-signal.SIGPROF, -signal.SIGALRM})
"""A mutant that never ends is noticed too: by its limit of CPU seconds, or of the wall's."""


@dataclass(frozen=True)
class Mutant:
    """One change in one function, told so that other changes in the file leave the words alone."""

    told: str
    """``module:function: a line of code with {what was => what is}``"""
    code: int | None
    """How the tests ended with it; None where they have not run."""

    @property
    def module(self) -> str:
        """The dotted name of its module."""
        return self.told.partition(":")[0]

    @property
    def killed(self) -> bool:
        """A test failed, or it ran out of time."""
        return self.code in KILLED or self.out_of_time

    @property
    def out_of_time(self) -> bool:
        """It was stopped; on a busy machine that may be the machine's fault."""
        return self.code in OUT_OF_TIME


def mutants(folder: Path) -> Iterator[Mutant]:
    """Every mutant of the last run in this tree."""
    for meta in sorted((folder / "mutants").rglob("*.py.meta")):
        file = meta.relative_to(folder / "mutants").with_suffix("")
        codes: dict[str, int | None] = json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
        for name, code in codes.items():
            yield Mutant(_told(folder, file, name), code)


def forget_survivors(folder: Path) -> None:
    """Let the next run try again what was not killed, with the tests as they are then."""
    (folder / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)
    for meta in (folder / "mutants").rglob("*.py.meta"):
        kept = json.loads(meta.read_text("utf-8"))
        codes = kept["exit_code_by_key"]
        kept["exit_code_by_key"] = {name: code if Mutant("", code).killed else None for name, code in codes.items()}
        meta.write_text(json.dumps(kept), encoding="utf-8")


def _told(folder: Path, file: Path, name: str) -> str:
    from mutmut.mutation.diff_apply import get_diff_for_mutant  # noqa: PLC0415 - only the session has it

    with contextlib.chdir(folder):
        diff = get_diff_for_mutant(name, path=file).splitlines()[2:]
    was, now = (" ".join(line[1:].strip() for line in diff if line.startswith(sign)) for sign in "-+")
    module, _, mangled = name.partition("__mutmut_")[0].rpartition(".")
    function = mangled.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
    return f"{module}:{function}: {change(was, now)}"


def change(was: str, now: str) -> str:
    """Old and new code in one line, word by word: ``raise Refused({text => None})``."""
    old, new = (re.findall(r"\w+|\s+|.", code) for code in (was, now))
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    before, after = ("".join(words[head : len(words) - tail]) for words in (old, new))
    return f"{''.join(old[:head])}{{{before} => {after}}}{''.join(old[len(old) - tail :])}"


def _alike(left: Sequence[str], right: Sequence[str]) -> int:
    """How many words at the beginning are the same."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))))
