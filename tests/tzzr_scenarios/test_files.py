"""Documents and saved values in what a scenario sends and expects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tzzr_scenarios import files, runner
from tzzr_scenarios.language.load import load
from tzzr_scenarios.language.mistakes import FileMistakes

HERE = Path(__file__).parent
TWICE = """\
scenario: The second call must have the trace of the first, which cannot be
steps:
  - call: generar_hash
    with: {{ texto: hola }}
    save: {{ trace: $.meta.traceId, digest: $.data.digest }}
  - call: generar_hash
    with: {{ texto: hola }}
    expect:
      text: {{ contains: "sha256: ${{digest}}" }}
      meta: {{ traceId: "${{{name}}}" }}
    upstream:
      grace: [{{ POST: /run, body: {{ input: {{ envelope: {{ trace_id: {{ not: "${{trace}}" }} }} }} }} }}]
"""


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("${n}", 7),
        ("ref-${n}.${name}", "ref-7.ES"),
        (["${name}", {"a": "${n}"}], ["ES", {"a": 7}]),
        ("$n ${7*7} ${}", "$n ${7*7} ${}"),
        ("${loop}", "${n}"),
    ],
)
def test_a_saved_value_keeps_its_type_alone_and_is_text_within_text(value: Any, result: Any) -> None:
    assert files.filled(value, HERE, {"n": 7, "name": "ES", "loop": "${n}"}) == result


def test_a_name_that_nothing_was_saved_under_is_told_with_the_nearest() -> None:
    with pytest.raises(KeyError, match=r"\$\{tarce\}: no earlier step saved that; did you mean trace\?"):
        files.filled("${tarce}", HERE, {"trace": "x"})


def test_a_saved_value_is_put_into_what_is_expected(tmp_path: Path) -> None:
    result = _played(tmp_path, "trace")
    assert [difference.path for step in result.steps for difference in step.differences] == ["meta.traceId"]


def test_an_expectation_of_what_nobody_saved_is_told_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(FileMistakes, match=r"(?s)\$\{trazo\} is neither saved.*did you mean trace\?.*nothing was run"):
        _played(tmp_path, "trazo")


def _played(folder: Path, name: str) -> Any:
    path = folder / "twice.yaml"
    path.write_text(TWICE.format(name=name), encoding="utf-8")
    return runner.run_one(load(path), runner.Settings())
