"""RFC 8785: the specification's own vectors, and what has no canonical form."""

from __future__ import annotations

import json
import struct

import pytest

from tzzr_mcp.contract.canonical import canonical, without_defaults

NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]
"""RFC 8785, appendix B: IEEE 754 bits and the text of the number."""


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_numbers_are_written_as_the_specification_lists_them(bits: str, text: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))

    assert canonical(number).decode() == text


def test_the_specifications_example_has_its_canonical_form() -> None:
    # RFC 8785, §3.2.2 and §3.2.4.
    source = r"""{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"""
    expected = (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )

    assert canonical(json.loads(source)).decode() == expected


def test_keys_are_sorted_by_utf16_code_units() -> None:
    # RFC 8785, §3.2.3.
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    order = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]

    assert list(json.loads(canonical(dict.fromkeys(keys)))) == order


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**60, "\ud800", {1: 2}])
def test_what_has_no_canonical_form_is_a_value_error(value: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        canonical(value)


def test_params_that_say_nothing_new_are_dropped() -> None:
    payload = {"type": "text", "params": {"max_words": 120, "style": "bullets"}}

    assert without_defaults("SUMMARIZER", payload) == {"type": "text", "params": {"style": "bullets"}}
    assert without_defaults("SUMMARIZER", {"type": "text", "params": {"max_words": 120}}) == {"type": "text"}
    assert without_defaults("NO_SUCH", payload) == payload
