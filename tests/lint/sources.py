"""The modules of the tests, read and never imported: what a name in one of them stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Source:
    """One module: its dotted name, its file, its functions and classes, and what it imports under which name."""

    name: str
    path: Path
    tree: ast.Module
    functions: Mapping[str, Function]
    classes: Mapping[str, ast.ClassDef]
    imports: Mapping[str, tuple[str, str]]
    """Local name → module and name in it; the second is empty where the module itself is meant."""

    @classmethod
    def of(cls, name: str, path: Path, text: str) -> Source:
        """Read the text of a module; ``SyntaxError`` where it is none."""
        tree = ast.parse(text, str(path))
        functions = {node.name: node for node in tree.body if isinstance(node, FUNCTION)}
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        return cls(name, path, tree, functions, classes, dict(_imports(tree)))


def _imports(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((each.asname or each.name, (each.name, "")) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((each.asname or each.name, (node.module, each.name)) for each in node.names)


@dataclass(frozen=True)
class Sources:
    """All modules of the tests, by their dotted names."""

    modules: Mapping[str, Source]

    @classmethod
    def of(cls, sources: Iterable[Source]) -> Sources:
        """Gather modules."""
        return cls({source.name: source for source in sources})

    @classmethod
    def below(cls, root: Path, folder: str = "tests") -> Sources:
        """Read every module of a folder of ``root``."""
        paths = sorted((root / folder).rglob("*.py"))
        return cls.of(Source.of(_dotted(path.relative_to(root)), path, path.read_text("utf-8")) for path in paths)

    def function(self, source: Source, name: str) -> tuple[Source, Function] | None:
        """The function of the tests that a name in ``source`` stands for, and its module."""
        if name in source.functions:
            return source, source.functions[name]
        module, original = source.imports.get(name, ("", ""))
        beyond = self.modules.get(module)
        return self.function(beyond, original) if beyond and original and beyond is not source else None

    def module(self, source: Source, name: str) -> Source | None:
        """The module of the tests that a name in ``source`` stands for."""
        module, original = source.imports.get(name, ("", ""))
        return self.modules.get(f"{module}.{original}" if original else module)

    def fixture(self, source: Source, name: str) -> tuple[Source, Function] | None:
        """The fixture that a parameter of a test in ``source`` asks for: its module's own, or of a conftest above."""
        package = source.name.split(".")
        above = [".".join([*package[:depth], "conftest"]) for depth in range(len(package) - 1, 0, -1)]
        for place in [source, *(self.modules[each] for each in above if each in self.modules)]:
            found = self.function(place, name)
            if found and is_fixture(found[1]):
                return found
        return None

    def methods(self, source: Source, name: str) -> Iterator[tuple[Source, Function]]:
        """Every method of that name in the classes of ``source`` and of the tests' modules that it imports from."""
        near = {module: self.modules[module] for module, _ in source.imports.values() if module in self.modules}
        for place in {source.name: source, **near}.values():
            for node in place.classes.values():
                yield from ((place, each) for each in methods_of(node) if each.name == name)


def _dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def methods_of(node: ast.ClassDef) -> list[Function]:
    """The methods that a class defines itself."""
    return [each for each in node.body if isinstance(each, FUNCTION)]


def is_fixture(function: Function) -> bool:
    """Whether ``pytest.fixture`` or ``pytest_asyncio.fixture`` decorates it."""
    bare = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    return any(isinstance(each, ast.Attribute) and each.attr == "fixture" for each in bare)
