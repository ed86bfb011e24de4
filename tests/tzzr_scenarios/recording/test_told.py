"""A session told as a scenario."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.tzzr_scenarios.recording.sessions import Recorded, answer
from tzzr_scenarios.recording.session import read_session
from tzzr_scenarios.recording.told import documents_for, scenario

PNG = base64.b64encode(b"\x89PNG tiny").decode()


def told(folder: Path, recorded: Recorded) -> dict[str, Any]:
    session = read_session(recorded.written(folder))
    documents = documents_for(session, "s.files")
    value = scenario(session, documents)
    documents.write(folder)
    return value


def test_each_kind_of_request_is_a_step_that_expects_what_came(tmp_path: Path) -> None:
    recorded = Recorded()
    recorded.calls("generar_hash", answer("sha256: ab", {"digest": "ab"}, traceId="x"), texto="hola")
    recorded.answers(recorded.asks("resources/read", uri="tzzr://a"), contents=[{"text": json.dumps({"total": 3})}])
    recorded.answers(recorded.asks("resources/read", uri="tzzr://b"), contents=[{"text": "Hola, mundo"}])
    message = {"role": "user", "content": {"type": "text", "text": "Analice la factura.\nMás"}}
    recorded.answers(recorded.asks("prompts/get", name="p", arguments={"a": "b"}), messages=[message])
    about = {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "x"}}
    recorded.answers(recorded.asks("completion/complete", **about), completion={"values": ["xa"]})
    recorded.fails(recorded.asks("resources/read", uri="tzzr://c"), -32602)
    assert told(tmp_path, recorded)["steps"] == [
        {
            "call": "generar_hash",
            "with": {"texto": "hola"},
            "expect": {"data": {"digest": "ab"}, "text": "sha256: ab", "source": {"name": "GRACE/HASHER"}},
        },
        {"read": "tzzr://a", "expect": {"data": {"total": 3}}},
        {"read": "tzzr://b", "expect": {"text": "Hola, mundo"}},
        {"prompt": "p", "with": {"a": "b"}, "expect": {"text": {"starts": "Analice la factura."}}},
        {"complete": "p", "argument": "a", "value": "x", "expect": {"values": ["xa"]}},
        {"read": "tzzr://c", "expect": {"protocol_error": -32602}},
    ]


def test_a_list_that_never_changed_is_one_step(tmp_path: Path) -> None:
    recorded = Recorded()
    for names in (["a"], ["a"], ["a", "b"]):
        recorded.answers(recorded.asks("tools/list"), tools=[{"name": name} for name in names])
    assert [step["expect"]["values"] for step in told(tmp_path, recorded)["steps"]] == [["a"], ["a", "b"]]


def test_an_error_is_expected_by_its_code_and_sentence(tmp_path: Path) -> None:
    recorded = Recorded()
    recorded.calls("ocr", {**answer("Falta el archivo", None, error={"code": "ARGUMENT_INVALID"}), "isError": True})
    recorded.calls("otro", {"content": [], "isError": True})
    first, second = told(tmp_path, recorded)["steps"]
    assert first["expect"] == {"error": "ARGUMENT_INVALID", "text": "Falta el archivo"}
    assert second["expect"]["error"] == {"any": True}


def test_requests_under_way_at_the_same_time_are_parallel_and_one_given_up_is_a_cancel(tmp_path: Path) -> None:
    recorded = Recorded()
    first, second = (recorded.asks("tools/call", name=name, arguments={}) for name in ("a", "b"))
    recorded.answers(second, **answer("b", {}))
    recorded.answers(first, **answer("a", {}))
    third = recorded.asks("tools/call", name="c", arguments={})
    recorded.says("client", {"method": "notifications/cancelled", "params": {"requestId": third}})
    both, given_up = told(tmp_path, recorded)["steps"]
    assert [step["call"] for step in both["parallel"]] == ["a", "b"]
    assert given_up == {"cancel": "c", "after": "0.1s"}


def test_what_shaped_the_offline_world_is_given(tmp_path: Path) -> None:
    faults = "grace: OCR_LOCAL is down; hst: first call fails with 503"
    settings = {"TZZR_FAULTS": faults, "TZZR_SEED": "3", "TZZR_CALL_TIMEOUT_S": "9", "TZZR_HTTP_PORT": "1"}
    recorded = Recorded(settings=settings)
    recorded.answers(recorded.asks("initialize"), protocolVersion="2025-11-25")
    tool = {"name": "calculate_loan_amortization", "_meta": {"tzzr/plugin": "finance"}}
    recorded.answers(recorded.asks("tools/list"), tools=[tool])
    assert told(tmp_path, recorded)["given"] == {
        "seed": 3,
        "era": "2025-11-25",
        "faults": ["grace: OCR_LOCAL is down optional", "hst: first call fails with 503 optional"],
        "settings": {"TZZR_CALL_TIMEOUT_S": "9"},
        "plugins": ["finance"],
    }


def test_what_is_long_or_odd_becomes_a_document(tmp_path: Path) -> None:
    (tmp_path / "roots").mkdir()
    (tmp_path / "roots" / "foto.png").write_bytes(b"\x89PNG")
    recorded = Recorded(settings={"TZZR_FILES_ROOT": str(tmp_path / "roots")})
    arguments = {"texto": "x" * 300, "otro": "${a}", "imagen_base64": PNG, "archivo": "foto.png", "lista": ["a"]}
    recorded.calls("ocr", answer("a", {}), **arguments)
    value = told(tmp_path, recorded)
    assert value["steps"][0]["with"] == {
        "texto": {"file": "s.files/1.txt"},
        "otro": {"file": "s.files/2.txt"},
        "imagen_base64": {"base64": "s.files/3.png"},
        "archivo": "foto.png",
        "lista": ["a"],
    }
    assert value["given"] == {"files": {"foto.png": {"copy": "s.files/4.png"}}}
    assert (tmp_path / "s.files" / "2.txt").read_text() == "${a}"


@pytest.mark.parametrize("value", ["x… [cut: 99 characters in all]"])
def test_an_argument_that_was_cut_is_told(tmp_path: Path, value: str) -> None:
    recorded = Recorded()
    recorded.calls("resumir", answer("a", {}), texto=value, archivo="/no/file")
    session = read_session(recorded.written(tmp_path))
    documents = documents_for(session, "s.files")
    scenario(session, documents)
    assert [trouble.partition(" ")[0] for trouble in documents.troubles] == ["texto", "archivo"]


def test_what_is_not_as_the_protocol_says_is_left_out(tmp_path: Path) -> None:
    recorded = Recorded()
    recorded.answers(recorded.asks("tools/call", arguments={}), content=[])
    recorded.answers(recorded.asks("tools/list"), tools=[])
    session = read_session(recorded.written(tmp_path))
    value = scenario(session, documents_for(session, "x"))
    assert [step["list"] for step in value["steps"]] == ["tools"]
    assert session.left_out == {"tools/call that is not as the protocol says": 1}
