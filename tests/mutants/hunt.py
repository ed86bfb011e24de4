"""Run the tests against every mutant: collected once, a fork per mutant. Run as a script, in the tree of ``tree.py``.

mutmut makes the mutants and switches them on. Its own runner starts pytest anew for each, which takes far longer than the
tests themselves; here pytest starts once, sees which tests reach which function, and each fork runs only those.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from itertools import accumulate

import pytest
from mutmut.__main__ import create_mutants
from mutmut.configuration import config
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir, setup_source_paths, walk_mutatable_files
from mutmut.utils.format_utils import mangled_name_from_mutant_name

UNTESTED = 33
"""mutmut's code for a mutant that no test reaches."""
BUDGET = 5.0
"""Seconds of tests, without a mutant, that a mutant has to survive: it cannot pass for killed by that, only for alive."""


class Hunt:
    """A pytest plugin that replaces the loop over the tests by a loop over the mutants."""

    def __init__(self, mutants: Sequence[tuple[SourceFileMutationData, str]]) -> None:
        self._mutants = mutants
        self._seconds: dict[pytest.Item, float] = {}
        self._reaching: dict[str, list[pytest.Item]] = defaultdict(list)
        self._in_child = False
        self._green = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """The first red test settles a mutant, before anybody describes what went wrong."""
        harmless = (pytest.skip.Exception, pytest.xfail.Exception)
        failed = call.excinfo is not None and not isinstance(call.excinfo.value, harmless)
        if self._in_child and failed and item.get_closest_marker("xfail") is None:
            os._exit(1)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Red is red, whatever the reason."""
        if report.failed:
            self._green = False
            if self._in_child:
                os._exit(1)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """See that all is green and who reaches what, then try every mutant."""
        self._learn(session.items)
        if not self._green or self._fork(lambda: self._run(session.items), "fail") == 0:
            raise pytest.UsageError("the tests are red without a mutant, or green whatever breaks")
        for number, (data, name) in enumerate(self._mutants, 1):
            data.exit_code_by_key[name] = self._try(name)
            with contextlib.chdir(".."):
                data.save()
            if number % 100 == 0:
                print(f"{number} of {len(self._mutants)} mutants tried", flush=True)
        return True

    def _learn(self, items: Sequence[pytest.Item]) -> None:
        set_mutant_under_test("stats")
        state()._stats.clear()
        for item, following in zip(items, [*items[1:], None], strict=True):
            started = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            self._seconds[item] = time.process_time() - started
            for function in state()._stats:
                self._reaching[function].append(item)
            state()._stats.clear()
        set_mutant_under_test("")
        gc.collect()
        gc.freeze()

    def _try(self, name: str) -> int:
        items = self._chosen(mangled_name_from_mutant_name(name))
        return self._fork(lambda: self._run(items), name) if items else UNTESTED

    def _chosen(self, function: str) -> Sequence[pytest.Item]:
        """The tests that reach a function, those of its module's own file first, then the quickest, up to the budget."""
        own = f"test_{function.rpartition('.')[0].rpartition('.')[2]}"
        reaching = sorted(self._reaching[function], key=lambda item: (item.path.stem != own, self._seconds[item]))
        spent = accumulate(self._seconds[item] for item in reaching)
        return [item for item, seconds in zip(reaching, spent, strict=True) if item is reaching[0] or seconds <= BUDGET]

    def _run(self, items: Sequence[pytest.Item]) -> None:
        """Each test within a limit of its own: some two seconds of the processor, and five times that on the wall."""
        for item in items:
            seconds = 2 + 5 * self._seconds[item]
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.setitimer(signal.ITIMER_REAL, 5 * seconds)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _fork(self, act: Callable[[], None], mutant: str) -> int:
        """How the child ended: 0 all green, 1 something red, negative the signal that stopped it."""
        sys.stdout.flush()
        sys.stderr.flush()
        if child := os.fork():
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self._in_child = True
        with contextlib.suppress(BaseException):
            _prepare(mutant)
            act()
            os._exit(0)
        os._exit(1)


def _prepare(mutant: str) -> None:
    """Silence, forgotten caches, and the mutant switched on."""
    gc.disable()
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    for name, module in list(sys.modules.items()):
        if name.startswith("tzzr_"):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()
    set_mutant_under_test(mutant)


def _open(wanted: str) -> Iterator[tuple[SourceFileMutationData, str]]:
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        yield from (
            (data, name) for name, code in data.exit_code_by_key.items() if code is None and fnmatch(name, wanted)
        )


def main(wanted: str) -> int:
    """Make the mutants that are not there yet and try those that are not settled; pytest's exit code."""
    os.makedirs("mutants", exist_ok=True)
    set_mutant_under_test("mutant_generation")
    with contextlib.redirect_stdout(None):
        copy_src_dir()
        copy_also_copy_files()
        setup_source_paths()
        create_mutants(1)
    selection = [*config().pytest_add_cli_args_test_selection, *config().pytest_add_cli_args]
    os.environ["MUTMUT_DEPENDENCY_DEPTH"] = "-1"
    hunt = Hunt(list(_open(wanted)))
    with contextlib.chdir("mutants"):
        return int(pytest.main(["--rootdir=.", "--tb=short", "--assert=plain", "-q", "-s", *selection], plugins=[hunt]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
