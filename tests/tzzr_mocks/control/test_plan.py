from __future__ import annotations

from tests.tzzr_mocks.small import expect_refusal, plan_of
from tzzr_mocks.control import Occasion, Point
from tzzr_mocks.control.fault import KINDS


def module_run(name: str = "OCR_LOCAL") -> Occasion:
    return Occasion(Point.MODULE, "grace", module=name, trace_id="t1", key="k1")


async def test_only_the_rules_of_the_point_and_the_match_fire() -> None:
    plan = plan_of()
    plan.add("grace: OCR_LOCAL is down")
    plan.add("grace: OCR_GROQ is slow")
    plan.add("grace: calls fail with 503")

    assert [fault.kind for fault in plan.fired(module_run())] == ["module_down"]
    assert plan.fired(module_run("HASHER")) == []
    assert [fault.kind for fault in plan.fired(Occasion(Point.REPLY, "grace"))] == ["status"]
    assert plan.fired(Occasion(Point.REPLY, "hst")) == []


async def test_rules_that_fire_together_come_in_the_order_of_the_plan() -> None:
    plan = plan_of()
    plan.add("grace: OCR_LOCAL is slow")
    plan.add("grace: OCR_LOCAL is down")

    assert [fault.kind for fault in plan.fired(module_run())] == ["module_slow", "module_down"]


async def test_each_firing_is_counted_and_traced() -> None:
    plan = plan_of()
    rule = plan.add("grace: OCR_LOCAL is down")
    plan.fired(module_run())
    plan.fired(module_run())

    assert plan.count(rule.id) == 2
    events = [event.as_json() for event in plan.seams.trace]
    assert events[1] == {
        "at": 0.0, "source": "grace", "kind": "fault", "rule": "fault-1", "fault": "module_down",
        "sentence": "grace: OCR_LOCAL is down", "count": 2, "module": "OCR_LOCAL", "trace_id": "t1",
    }  # fmt: skip


async def test_a_window_is_measured_on_the_worlds_clock() -> None:
    plan = plan_of()
    plan.add("grace: OCR_LOCAL is down after 10s until 20s")
    plan.stopwatch.begin()
    seen = []
    for _ in range(3):
        seen.append(len(plan.fired(module_run())))
        await plan.seams.clock.sleep(10)

    assert seen == [0, 1, 0]


async def test_what_never_fired_is_told_unless_it_is_optional() -> None:
    plan = plan_of()
    never = plan.add("grace: OCR_LOCAL is down")
    plan.add("grace: OCR_GROQ is down optional")
    fired = plan.add("grace: HASHER is down")
    plan.fired(module_run("HASHER"))

    assert plan.unfired() == [never]
    plan.remove(never.id)
    assert plan.unfired() == [never]
    assert plan.rules == [rule for rule in plan.rules if rule.id != never.id]
    assert fired in plan.rules


async def test_heal_stops_by_id_service_module_kind_or_sentence() -> None:
    for what in ("fault-1", "grace", "OCR_LOCAL", "module_down", "grace: OCR_LOCAL is down", "OCR_LOCAL is down", None):
        plan = plan_of()
        plan.add("grace: OCR_LOCAL is down")
        plan.add("hst: calls fail")
        healed = plan.heal(what)

        assert "grace: OCR_LOCAL is down" in [rule.text for rule in healed]
        assert plan.fired(module_run()) == []
        assert len(plan.rules) == (0 if what is None else 1)


def test_an_unknown_id_is_refused() -> None:
    plan = plan_of()
    plan.add("grace: OCR_LOCAL is down")
    with expect_refusal("unknown fault rule 'fault-2'", "'fault-1'"):
        plan.remove("fault-2")


async def test_a_snapshot_brings_back_rules_and_counts() -> None:
    plan = plan_of()
    plan.add("grace: first 2 calls fail")
    plan.fired(Occasion(Point.REPLY, "grace"))
    state = plan.snapshot()
    plan.fired(Occasion(Point.REPLY, "grace"))
    plan.heal()
    plan.restore(state)

    assert [len(plan.fired(Occasion(Point.REPLY, "grace"))) for _ in range(3)] == [1, 0, 0]


async def test_one_more_rule_does_not_shift_the_dice_of_the_others() -> None:
    draws = []
    for extra in (False, True):
        plan = plan_of()
        rule = plan.add("grace: OCR_LOCAL is down 50% of the time")
        if extra:
            plan.add("grace: OCR_LOCAL is slow 50% of the time")
        for _ in range(50):
            plan.fired(module_run())
        draws.append(plan.count(rule.id))

    assert draws[0] == draws[1]


def test_kinds_are_registered_once_by_being_defined() -> None:
    assert all(kind.kind == name and kind.__doc__ for name, kind in KINDS.items())
