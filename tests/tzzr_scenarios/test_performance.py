"""Steps that are made of steps, the server started anew, and what holds when all is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tzzr_scenarios.playing import all_differences, play
from tzzr_scenarios.story import story

DOWN = "given: { faults: ['grace: every call fails with 401'] }\n"
UNTIL = """steps:
  - parallel:
    - until: { call: generar_hash, with: { texto: hola }, expect: { data: { size_bytes: 4 } }, save: { d: $.data.digest } }
      every: 2s
      limit: %s
    - repeat: 1
      steps: [{ advance: 5s }, { heal: all }]
  - call: generar_hash
    with: { texto: "${d}" }
    expect: { data: { size_bytes: 64 } }
"""
CALL = "  - call: generar_hash\n    with: { texto: hola }\n"


def test_a_step_is_tried_again_until_it_holds_and_every_attempt_is_told(tmp_path: Path) -> None:
    result = play(tmp_path, DOWN + UNTIL % "20s")
    assert result.verdict == "passed", (result.problem, all_differences(result))
    attempts = [step for step in result.steps if step.tried]
    assert [step.begin for step in attempts] == pytest.approx([0, 2.01, 4.02], abs=0.1)
    assert {step.tried[0].path for step in attempts} == {"error"}
    asked = [line for line in story(result.trace) if line.text == "call generar_hash" and line.source == "client"]
    assert len(asked) == len(attempts) + 2


def test_an_attempt_that_never_holds_fails_at_the_limit(tmp_path: Path) -> None:
    result = play(
        tmp_path, DOWN + (UNTIL % "3s").replace("{ heal: all }", "{ advance: 1s }").partition("  - call: gen")[0]
    )
    first, *rest = all_differences(result)
    assert (first.path, first.expected) == ("until", "an attempt within 3 s to hold")
    assert first.got == "2 attempts did not; the last one:"
    assert rest[0].path == "error"
    assert result.virtual_s == pytest.approx(6, abs=0.1)


def test_what_stops_it_fails_at_once(tmp_path: Path) -> None:
    until = "steps:\n  - until: { call: generar_hash, with: { texto: hola } }\n    limit: 1h\n    stop: { error: %s }\n"
    result = play(tmp_path, DOWN + until % "GRACE_AUTH")
    assert next((each.path, each.got) for each in all_differences(result)) == ("until.stop", "it held in attempt 1")
    assert result.virtual_s < 5
    assert play(tmp_path, DOWN + (until % "GRACE_RATE_LIMIT").replace("1h", "5s")).virtual_s >= 4


def test_upstream_of_an_attempt_counts_from_its_own_beginning(tmp_path: Path) -> None:
    seen = "upstream: { grace: [{ POST: /run, times: 1 }] }"
    text = f"steps:\n  - until: {{ call: generar_hash, with: {{ texto: hola }}, {seen} }}\n    limit: 10s\n"
    fault = "given: { faults: ['grace: first call fails with 401'] }\n"
    assert play(tmp_path, fault + text).verdict == "passed"


def test_the_server_is_started_anew_and_the_world_goes_on(tmp_path: Path) -> None:
    read = "  - read: tzzr://hst/tags/flg\n    upstream: { hst: [{ GET: /items/tags_flg, times: %d }] }\n"
    again = "  - read: tzzr://hst/tags/flg\n    upstream: { hst: [] }\n"
    text = f"steps:\n{read % 1}{again}  - advance: 1min\n  - restart: server\n{read % 1}"
    result = play(tmp_path, text)
    assert result.verdict == "passed", (result.problem, all_differences(result))
    assert result.virtual_s >= 60
    assert "restart server" in [line.text for line in story(result.trace)]


def test_a_restart_keeps_what_was_saved_and_the_faults(tmp_path: Path) -> None:
    text = f"""given: {{ faults: ["grace: 2nd call to POST /run fails with 401"] }}
steps:
{CALL}    save: {{ digest: $.data.digest }}
  - restart: server
  - call: generar_hash
    with: {{ texto: "${{digest}}" }}
    expect: {{ error: GRACE_AUTH }}
"""
    result = play(tmp_path, text)
    assert result.verdict == "passed", (result.problem, all_differences(result))


@pytest.mark.parametrize(
    ("after", "path"),
    [
        ("upstream: { grace: [{ POST: /run, times: 2 }], hst: [] }", None),
        ("upstream: { grace: [{ POST: /run, times: 1 }] }", "after.upstream.grace POST /run"),
        ("upstream: { grace: [] }", "after.upstream.grace"),
        ("computed: { HASHER: 2, CLASSIFIER: 0 }", None),
        ("computed: { HASHER: 1 }", "after.computed.HASHER"),
        ("computed: { CLASSIFIER: { ge: 1 } }", "after.computed.CLASSIFIER"),
        ("jobs: { COMPLETED: 2, FAILED: 0 }", None),
        ("jobs: { CANCELLED: 1 }", "after.jobs.CANCELLED"),
    ],
)
def test_what_holds_when_all_is_over(tmp_path: Path, after: str, path: str | None) -> None:
    result = play(tmp_path, f"steps:\n{CALL}{CALL.replace('hola', 'otra')}after: {{ {after} }}\n")
    assert [each.path for each in all_differences(result)] == ([path] if path else [])
    assert result.verdict == ("failed" if path else "passed")


def test_after_sees_the_job_of_a_call_that_was_given_up(tmp_path: Path) -> None:
    text = """given: { faults: ["grace: stuck_in_queue"] }
steps: [{ cancel: clasificar, with: { texto: hola }, after: 5s }]
after: { jobs: { CANCELLED: 1 }, computed: { CLASSIFIER: 0 } }
"""
    result = play(tmp_path, text)
    assert result.verdict == "passed", (result.problem, all_differences(result))


def test_what_several_steps_take_together_can_be_expected(tmp_path: Path) -> None:
    parallel = "steps:\n  - parallel: [{ advance: 10s }, { advance: 10s }]\n    expect: { within: %s }\n"
    assert play(tmp_path, parallel % "11s").verdict == "passed"
    assert [each.path for each in all_differences(play(tmp_path, parallel % "9s"))] == ["within"]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [("{ any: true }", []), ("GRACE_AUTH", []), ("ok", ["outcome"]), ("{ regex: '^[a-z]+$' }", ["outcome"])],
)
def test_a_step_that_says_its_outcome_may_fail_or_succeed(tmp_path: Path, outcome: str, told: list[str]) -> None:
    step = CALL + f"    expect: {{ outcome: {outcome} }}\n"
    failed = play(tmp_path, DOWN + "steps:\n" + step)
    assert [each.path for each in all_differences(failed)] == told
    succeeded = play(tmp_path, "steps:\n" + step)
    assert [each.path for each in all_differences(succeeded)] == (["outcome"] if outcome == "GRACE_AUTH" else [])


def test_a_snapshot_is_brought_back_as_often_as_it_is_asked_for_with_its_faults(tmp_path: Path) -> None:
    steps = "  - heal: all\n  - restore: copia\n" + CALL + "    expect: { error: GRACE_AUTH }\n"
    result = play(tmp_path, DOWN + "steps:\n  - snapshot: copia\n" + 2 * steps + "  - heal: all\n" + CALL)
    assert result.verdict == "passed", (result.problem, all_differences(result))


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ("  - restore: copia\n", "restore: no step before kept 'copia'; snapshot: first"),
        (
            "  - snapshot: copia\n  - restore: copai\n",
            "restore: no step before kept 'copai'; did you mean copia?  kept so far: copia",
        ),
    ],
)
def test_what_was_never_kept_cannot_be_brought_back(tmp_path: Path, steps: str, told: str) -> None:
    result = play(tmp_path, "steps:\n" + steps)
    assert (result.verdict, result.problem) == ("broken", told)
