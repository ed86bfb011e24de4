"""What counts as an assertion and what does not, on modules of a few lines."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.lint.__main__ import main
from tests.lint.asserting import findings
from tests.lint.sources import Source, Sources


def silent(*, conftest: str = "", shared: str = "", **tests: str) -> list[str]:
    """The names that the lint finds in a folder with these modules; ``test_a="…"`` is ``tests/test_a.py``."""
    texts = {"tests.conftest": conftest, "tests.shared": shared, **{f"tests.{name}": it for name, it in tests.items()}}
    sources = [Source.of(name, Path(f"{name.replace('.', '/')}.py"), dedent(text)) for name, text in texts.items()]
    return [finding.name for finding in findings(Sources.of(sources))]


@pytest.mark.parametrize(
    "body",
    [
        "assert 1 + 1 == 2",
        "with pytest.raises(ValueError): int('x')",
        "with pytest.warns(UserWarning): old()",
        "pytest.fail('never') if old() else None",
        "mock.assert_called_once_with(3)",
        "if old():\n        assert new() is not None",
        "def check(): assert old()\n    run(check)",
    ],
)
def test_an_assertion_in_the_body_counts(body: str) -> None:
    assert silent(test_a=f"def test_it():\n    {body}\n") == []


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "validate(3)",
        "assert True",
        "schema.check(3).raises(ValueError)",
        "with pytest.raises_nothing(): old()",
        "def check(): assert old()",
        "check(3)",
    ],
)
def test_a_call_that_must_not_raise_and_what_nobody_runs_do_not(body: str) -> None:
    assert silent(test_a=f"async def test_it():\n    {body}\n") == ["test_it"]


SHARED = """
    def held(it): assert it > 0
    def through(it): held(it)
    def narrowed(it): assert it is not None and isinstance(it, int); return it
    def circle(it): circle(it)
    class Bench:
        def expect(self, it): through(it)
        def run(self, it): return it
"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from tests.shared import held\ndef test_it(): held(3)", []),
        ("from tests.shared import held as kept\ndef test_it(): kept(3)", []),
        ("from tests import shared\ndef test_it(): shared.through(3)", []),
        ("from tests.shared import Bench\ndef test_it(): Bench().expect(3)", []),
        ("from tests.shared import through\ndef own(it): return map(through, it)\ndef test_it(): own([3])", []),
        ("from tests.shared import Bench\ndef test_it(): Bench().run(3)", ["test_it"]),
        ("from tests.shared import narrowed\ndef test_it(): narrowed(3)", ["test_it"]),
        ("from tests.shared import circle\ndef test_it(): circle(3)", ["test_it"]),
        ("from elsewhere import held\ndef test_it(): held(3)", ["test_it"]),
        ("import tests.shared\ndef test_it(): assert isinstance(3, int)", []),
    ],
)
def test_what_a_test_calls_of_the_tests_is_followed(line: str, found: list[str]) -> None:
    assert silent(shared=SHARED, test_a=line) == found


def test_a_name_is_followed_through_a_module_that_hands_it_on() -> None:
    door = "from tests.shared import held"
    assert silent(shared=SHARED, door=door, test_a="from tests.door import held\ndef test_it(): held(3)") == []


CONFTEST = """
    @pytest.fixture
    def compare():
        def same(one, other): assert one == other
        return same

    @pytest.fixture
    def clean():
        with opened() as it:
            yield it
        assert it.problems == []

    @pytest.fixture
    def prepared():
        it = opened()
        assert it.ready
        yield it
        it.close()

    @pytest.fixture
    def cleaner(clean):
        return clean
"""


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("def test_it(compare): compare(1, 1)", []),
        ("def test_it(compare): pass", ["test_it"]),
        ("def test_it(clean): clean.go()", []),
        ("def test_it(*, cleaner): cleaner.go()", []),
        ("def test_it(prepared): prepared.go()", ["test_it"]),
        ("def compare(): pass\ndef test_it(compare): compare(1, 1)", []),
        ("@pytest.fixture\ndef compare(): return print\ndef test_it(compare): compare(1, 1)", ["test_it"]),
    ],
)
def test_a_fixture_counts_where_it_is_called_or_asserts_after_the_test(test: str, found: list[str]) -> None:
    assert silent(conftest=CONFTEST, test_a=test) == found


@pytest.mark.parametrize(
    ("rule", "found"),
    [("assert self.model == self.real", []), ("self.real.add(3)", ["Machine"])],
)
def test_a_state_machine_asserts_in_one_of_its_rules(rule: str, found: list[str]) -> None:
    machine = f"class Machine(RuleBasedStateMachine):\n    def add(self): {rule}\nTestMachine = Machine.TestCase"
    assert silent(test_a=machine) == found


def test_methods_of_test_classes_are_tests_and_other_modules_hold_none() -> None:
    text = "class TestThis:\n    def test_it(self): pass\n    def helper(self): pass\nclass Other:\n    def test_no(self): pass"
    assert silent(test_a=text, shared="def test_shared(): pass") == ["test_it"]


def test_the_command_tells_file_line_name_and_mend_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tests").mkdir()
    assert main(tmp_path) == 0
    (tmp_path / "tests" / "test_a.py").write_text("\ndef test_it():\n    pass\n")
    assert main(tmp_path) == 1
    told = capsys.readouterr().out
    assert told.startswith(f"{tmp_path}/tests/test_a.py:2: test_it asserts nothing; assert what came back")
    assert told.count("\n") == 1
