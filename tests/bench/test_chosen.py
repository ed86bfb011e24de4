"""Which benchmarks a command line asks for; what they measure is no matter of tests."""

from __future__ import annotations

import pytest

from tests.bench.__main__ import BENCHES, chosen


@pytest.mark.parametrize(
    ("argv", "names"),
    [
        ([], ["chain", "catalogue", "start", "sockets"]),
        (["start"], ["start"]),
        (["start", "chain"], ["start", "chain"]),
    ],
)
def test_those_named_are_run_and_all_where_none_is(argv: list[str], names: list[str]) -> None:
    assert chosen(argv) == [BENCHES[name] for name in names]


def test_a_name_that_is_none_is_told_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        chosen(["chian"])
    told = "there is no benchmark 'chian'; there are chain, catalogue, start, sockets"
    assert told in capsys.readouterr().err
