"""A test asserts something: in its own body, or in what it calls of the tests, followed as far as it goes.

What counts: ``assert``, ``pytest.raises``, ``warns`` and ``fail``, a mock's ``assert_called…``, an assertion behind the
``yield`` of a fixture, and for a state machine an assertion in one of its rules or invariants. That a call "must not
raise" is none, nor is an ``assert`` of a constant; and what a function only asserts to tell the type checker a type,
holds for itself and not for its callers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.lint.sources import FUNCTION, Function, Source, Sources, methods_of

PYTEST = frozenset({"raises", "warns", "fail", "deprecated_call"})
MEND = "assert what came back or the state that follows; that nothing is raised shows neither"


@dataclass(frozen=True)
class Finding:
    """A place and what is wrong there."""

    path: Path
    line: int
    name: str
    told: str

    def __str__(self) -> str:
        """One line, as a compiler words it."""
        return f"{self.path}:{self.line}: {self.name} {self.told}"


def findings(sources: Sources) -> list[Finding]:
    """Every test and every state machine that asserts nothing, in the order of files and lines."""
    search = _Search(sources)
    return [
        Finding(source.path, node.lineno, node.name, f"asserts nothing; {MEND}")
        for source in sources.modules.values()
        for node, holds in [*_tests(search, source), *_machines(search, source)]
        if not holds
    ]


def _tests(search: _Search, source: Source) -> Iterator[tuple[Function, bool]]:
    if source.name.rpartition(".")[2].startswith("test_"):
        inside = [each for node in source.classes.values() if node.name.startswith("Test") for each in methods_of(node)]
        for test in [*source.functions.values(), *inside]:
            if test.name.startswith("test_"):
                yield test, search.test(source, test)


def _machines(search: _Search, source: Source) -> Iterator[tuple[ast.ClassDef, bool]]:
    for node in source.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and node.value.attr == "TestCase":
            machine = source.classes.get(ast.unparse(node.value.value))
            if machine is not None:
                yield machine, any(search.function(source, each) for each in methods_of(machine))


@dataclass
class _Search:
    sources: Sources
    known: dict[int, bool] = field(default_factory=dict)

    def test(self, source: Source, test: Function) -> bool:
        return self.within(source, test.body, own=True) or any(
            self._torn_down(source, each.arg) for each in [*test.args.args, *test.args.kwonlyargs]
        )

    def function(self, source: Source, function: Function) -> bool:
        """Whether a function asserts, once asked and then remembered; one that is being asked does not."""
        if id(function) not in self.known:
            self.known[id(function)] = False
            self.known[id(function)] = self.within(source, function.body)
        return self.known[id(function)]

    def within(self, source: Source, body: Sequence[ast.stmt], *, own: bool = False) -> bool:
        nodes = list(_reached(body))
        return any(_is_assertion(node, own=own) for node in nodes) or any(
            self.function(*each) for node in nodes for each in self._meant(source, node)
        )

    def _meant(self, source: Source, node: ast.AST) -> Iterable[tuple[Source, Function]]:
        """What functions of the tests a node may stand for: by name, through a module, or as a method."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found = self.sources.function(source, node.id)
            return [found] if found else []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = self.sources.fixture(source, node.func.id)
            return [found] if found else []
        return self._attribute(source, node) if isinstance(node, ast.Attribute) else []

    def _attribute(self, source: Source, node: ast.Attribute) -> Iterable[tuple[Source, Function]]:
        if isinstance(node.value, ast.Name):
            module = self.sources.module(source, node.value.id)
            if module is not None:
                found = self.sources.function(module, node.attr)
                return [found] if found else []
        return self.sources.methods(source, node.attr)

    def _torn_down(self, source: Source, name: str) -> bool:
        """Whether a fixture asserts after the test, behind its ``yield``."""
        found = self.sources.fixture(source, name)
        if found is None:
            return False
        place, fixture = found
        after = list(_behind_yield(fixture.body))
        return self.within(place, after) or any(self._torn_down(place, each.arg) for each in fixture.args.args)


def _reached(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Every node below, but of a function within only where its name is used."""
    within = {node.name: node for each in body for node in ast.walk(each) if isinstance(node, FUNCTION)}
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, FUNCTION):
            continue
        yield node
        if isinstance(node, ast.Name) and node.id in within:
            waiting += within.pop(node.id).body
        waiting += ast.iter_child_nodes(node)


def _behind_yield(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements after the one that yields, in this block and in the block that it is in."""
    for place, statement in enumerate(body):
        if any(isinstance(node, ast.Yield) for node in ast.walk(statement)):
            for inner in ("body", "finalbody"):
                yield from _behind_yield(getattr(statement, inner, []))
            yield from body[place + 1 :]
            return


def _is_assertion(node: ast.AST, *, own: bool) -> bool:
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant) and (own or not _narrows(node.test))
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        of_pytest = ast.unparse(node.func.value) == "pytest" and node.func.attr in PYTEST
        return of_pytest or node.func.attr.startswith("assert_")
    return isinstance(node.func, ast.Name) and node.func.id.startswith("assert_")


def _narrows(test: ast.expr) -> bool:
    """Whether a condition may stand there for the type checker alone: ``is not None``, ``isinstance``."""
    if isinstance(test, ast.BoolOp):
        return all(map(_narrows, test.values))
    if isinstance(test, ast.Compare):
        absent = isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
        return absent and isinstance(test.ops[0], ast.IsNot)
    return isinstance(test, ast.Call) and ast.unparse(test.func) == "isinstance"
