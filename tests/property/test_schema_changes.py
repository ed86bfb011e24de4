"""What is called harmless is harmless: the classification of changes of JSON Schemas, searched."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.property.schemas import POOL, edited, schemas
from tzzr_scenarios.surface.changes import Weight
from tzzr_scenarios.surface.inclusion import refusals
from tzzr_scenarios.surface.schemas import SchemaFacet

TAKEN, READ = SchemaFacet(taken=True), SchemaFacet(taken=False)


def weight(facet: SchemaFacet, old: Any, new: Any) -> Weight | None:
    return max((change.weight for change in facet.changes(old, new, "")), default=None)


@given(data=st.data(), old=schemas)
def test_when_nothing_is_refused_all_that_was_valid_is_valid(data: st.DataObject, old: Any) -> None:
    new = data.draw(st.one_of(edited(old), edited(old), schemas))
    found = refusals(old, new)
    event("refused" if found else "included")
    if not found:
        before, after = Draft202012Validator(old), Draft202012Validator(new)
        assert [value for value in POOL if before.is_valid(value) and not after.is_valid(value)] == []


@given(data=st.data(), old=schemas)
def test_what_takes_a_value_no_more_is_breaking_for_who_sends_and_what_gives_a_new_one_for_who_reads(
    data: st.DataObject, old: Any
) -> None:
    new = data.draw(edited(old))
    before, after = Draft202012Validator(old), Draft202012Validator(new)
    lost = any(before.is_valid(value) and not after.is_valid(value) for value in POOL)
    gained = any(after.is_valid(value) and not before.is_valid(value) for value in POOL)

    assert not lost or weight(TAKEN, old, new) is Weight.BREAKING
    assert not gained or weight(READ, old, new) is Weight.BREAKING


@given(schemas)
def test_nothing_changed_is_no_change_in_whatever_order_it_is_written(schema: Any) -> None:
    assert refusals(schema, turned(schema)) == []
    assert list(TAKEN.changes(schema, turned(schema), "")) == list(READ.changes(schema, turned(schema), "")) == []


@given(data=st.data(), old=schemas)
def test_what_adds_one_way_breaks_the_other_way_and_for_who_reads_it_is_the_reverse(
    data: st.DataObject, old: Any
) -> None:
    new = data.draw(edited(old))
    there, back = weight(TAKEN, old, new), weight(TAKEN, new, old)
    event(f"{there} there, {back} back")

    assert there is not Weight.ADDITIVE or back is Weight.BREAKING
    assert back is weight(READ, old, new)


@given(data=st.data(), old=schemas)
def test_one_more_demand_is_never_refused_in_the_other_direction(data: st.DataObject, old: Any) -> None:
    stricter = {"allOf": [data.draw(schemas.map(without_definitions)), old], "$defs": old["$defs"]}

    assert refusals(stricter, old) == []


def turned(schema: Any) -> Any:
    """The same with every object's keys in the opposite order."""
    if isinstance(schema, dict):
        return {name: turned(schema[name]) for name in reversed(schema)}
    return [turned(each) for each in schema] if isinstance(schema, list) else copy.copy(schema)


def without_definitions(schema: Any) -> Any:
    return {name: value for name, value in schema.items() if name != "$defs"}
