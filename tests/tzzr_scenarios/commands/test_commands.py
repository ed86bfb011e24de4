"""The ``tzzr`` command: exit codes, messages that tell the mend, results as people read them."""

from __future__ import annotations

import base64
import io
import json
import os
import sys
from pathlib import Path

import pytest

from tzzr_scenarios.cli import COULD_NOT_RUN, FAILED, INTERRUPTED, PASSED, main
from tzzr_scenarios.commands.mocks import exports
from tzzr_scenarios.commands.words import WordError, arguments

SCENARIO = """scenario: The hash of a text has a size
steps:
  - call: generar_hash
    with: { texto: hola }
    expect: { data: { size_bytes: %d } }
"""
BLANK = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8//8/AwMDEwMDAwMDAwAkBgMB/DXemwAAAABJRU5ErkJggg=="
FREE_PORTS = ["--grace-port=0", "--hst-port=0", "--context-port=0", "--llm-port=0"]
SCHEMA = {
    "properties": {
        "texto": {"type": "string"},
        "limite": {"type": "integer"},
        "campos": {"type": "array"},
        "archivo": {"type": "string"},
        "imagen_base64": {"type": "string"},
    }
}


def written(folder: Path, size: int) -> str:
    """A scenario file that passes for size 4."""
    path = folder / "hash.yaml"
    path.write_text(SCENARIO % size)
    return str(path)


def test_run_ends_with_0_when_all_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", written(tmp_path, 4)]) == PASSED
    assert "1 passed" in capsys.readouterr().out


def test_run_ends_with_1_when_one_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", written(tmp_path, 5)]) == FAILED
    out = capsys.readouterr().out
    assert "expected  5" in out
    assert "replay   tzzr run" in out


def test_run_ends_with_2_when_a_file_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text("stps: []\n")
    assert main(["run", str(path)]) == COULD_NOT_RUN
    assert 'did you mean "steps"?' in capsys.readouterr().err


def test_a_pipe_in_a_folder_of_scenarios_makes_nobody_wait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    written(tmp_path, 4)
    assert main(["run", str(tmp_path)]) == PASSED
    assert "1 passed" in capsys.readouterr().out


@pytest.mark.parametrize(("raised", "code"), [(KeyboardInterrupt, INTERRUPTED), (BrokenPipeError, PASSED)])
def test_an_interrupted_command_ends_without_a_traceback(
    raised: type[BaseException], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(options: object) -> int:
        raise raised

    monkeypatch.setattr("tzzr_scenarios.commands.schema.main", stop)
    monkeypatch.setattr("tzzr_scenarios.cli._forget_output", lambda: None)
    assert main(["schema"]) == code
    assert ("interrupted" in capsys.readouterr().err) == (code == INTERRUPTED)


@pytest.mark.parametrize("port", ["99999", "-1", "abc", "80.5"])
def test_what_is_no_port_is_told(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["mocks", f"--grace-port={port}"])
    assert "is no port: a number from 0 to 65535" in capsys.readouterr().err


def test_an_interrupt_while_a_command_is_loaded_ends_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(name: str) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("tzzr_scenarios.cli._command", stop)
    assert main(["call"]) == INTERRUPTED


def test_without_the_extra_a_command_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "tzzr_scenarios.commands.call", raising=False)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    with pytest.raises(SystemExit, match="2"):
        main(["call"])
    assert "pip install 'mcp-server-tzzr[harness]'" in capsys.readouterr().err


def test_a_terminal_that_lacks_a_letter_gets_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", terminal)
    assert main(["call", "clasificar", "texto=Contrato de alquiler"]) == PASSED
    terminal.seek(0)
    assert "Categor?a: contrato" in terminal.read()


def test_a_notice_that_the_text_begins_with_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "ocr", f"imagen_base64={BLANK}"]) == PASSED
    out = capsys.readouterr().out
    assert out.startswith("Aviso: ")
    assert out.count("inventado") == 1


def test_a_file_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tzzr_scenarios.commands.words._MOST_BYTES", 1 << 20)
    with pytest.raises(WordError, match="/dev/zero is larger than 1 MiB"):
        arguments("ocr", SCHEMA, ["archivo=@/dev/zero"])


def test_run_ends_with_2_when_nothing_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "grace/herramienta"]) == COULD_NOT_RUN
    assert "no scenario file is there" in capsys.readouterr().err


def test_a_keyword_chooses_and_one_that_fits_nothing_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", written(tmp_path, 4), "-k", "SIZE"]) == PASSED
    assert main(["run", written(tmp_path, 4), "-k", "nothing"]) == COULD_NOT_RUN
    assert "'nothing'" in capsys.readouterr().err


def test_run_writes_json_for_machines_and_a_page_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", written(tmp_path, 4), "--json"]) == PASSED
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["passed"] == 1
    page = tmp_path / "report.html"
    assert main(["run", written(tmp_path, 4), "--html", str(page)]) == PASSED
    assert "The hash of a text has a size" in page.read_text()


def test_run_lists_and_explains_without_running(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, 5)
    assert main(["run", path, "--list"]) == PASSED
    assert capsys.readouterr().out == f"{path}  The hash of a text has a size\n1 scenario\n"
    assert main(["run", path, "--explain"]) == PASSED
    assert "size_bytes: 5" in capsys.readouterr().out
    assert main(["run", "--verdicts"]) == PASSED
    assert "leaked-a-secret  " in capsys.readouterr().out


def test_run_writes_for_ci(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path, junit = written(tmp_path, 5), tmp_path / "junit.xml"
    assert main(["run", path, "--junit", str(junit), "--github"]) == FAILED
    assert 'failures="1"' in junit.read_text()
    assert "::error file=" in capsys.readouterr().out
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert main(["run", path, "--json"]) == FAILED
    out, err = capsys.readouterr()
    assert "::error file=" in err
    assert [json.loads(line)["event"] for line in out.splitlines()] == ["run", "scenario", "summary"]


def test_call_prints_the_text_or_the_protocol_s_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "clasificar", "texto=Factura de la luz"]) == PASSED
    assert capsys.readouterr().out.startswith("Categoría: factura")
    assert main(["call", "clasificar", "texto=Factura de la luz", "--json"]) == PASSED
    assert json.loads(capsys.readouterr().out)["structuredContent"]["data"]["category"] == "factura"


def test_a_path_that_the_server_may_not_read_is_told_with_the_way_to_send_the_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["call", "ocr", "archivo=foto.png"]) == FAILED
    told = capsys.readouterr()
    assert "código: FILE_NOT_ALLOWED" in told.out
    assert told.err == "tzzr call: archivo=@foto.png reads the file here and sends its bytes\n"


def test_call_shows_tables_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "clasificar", "texto=Factura de la luz", "--tables"]) == PASSED
    assert "Confianza" in capsys.readouterr().out


def test_call_prints_progress_beside_the_result_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "call",
        "resumir",
        "texto=La junta aprueba el acta.",
        "--progress",
        "--fault",
        "grace: SUMMARIZER takes 3s",
    ]
    assert main(words) == PASSED
    told = capsys.readouterr()
    assert told.err.splitlines()[0] == "En cola en GRACE (0 ms)"
    assert told.err.splitlines()[-1].startswith("GRACE terminó")
    assert told.out.startswith("La junta aprueba el acta.")


def test_call_ends_with_1_and_a_spanish_sentence_when_the_tool_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "clasificar", "texto=hola", "--fault", "grace: every call fails with 401"]) == FAILED
    out = capsys.readouterr().out
    assert "RUNPOD_API_KEY" in out
    assert "GRACE_AUTH" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["clasificr", "texto=a"], "did you mean clasificar?"),
        (["clasificar", "txto=a"], "did you mean texto?"),
        (["clasificar", "texto"], "is not key=value"),
        (["clasificar", "texto=@nowhere.txt"], "No such file"),
        (["clasificar", "texto=a", "--fault", "grace: CLASIFIER is down"], "CLASSIFIER"),
    ],
)
def test_call_tells_the_mend_of_a_wrong_word(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", *words]) == COULD_NOT_RUN
    assert told in capsys.readouterr().err


def test_call_lists_tools_and_modules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call"]) == PASSED
    assert len(capsys.readouterr().out.splitlines()) == 12
    assert main(["call", "--list-modules"]) == PASSED
    assert len(capsys.readouterr().out.splitlines()) == 18


def test_words_take_the_types_of_the_schema(tmp_path: Path) -> None:
    given = arguments("extraer", SCHEMA, ["texto=12", "limite=12", "campos=iban, total"])
    assert given == {"texto": "12", "limite": 12, "campos": ["iban", "total"]}
    assert arguments("extraer", SCHEMA, ['campos=["iban"]', "limite=doce"]) == {"campos": ["iban"], "limite": "doce"}


def test_a_file_is_sent_as_text_or_as_bytes(tmp_path: Path) -> None:
    picture = tmp_path / "foto.png"
    picture.write_bytes(b"\x89PNG\xff")
    inline = base64.b64encode(picture.read_bytes()).decode()
    assert arguments("ocr", SCHEMA, [f"archivo=@{picture}"]) == {"imagen_base64": inline}
    with pytest.raises(WordError, match="not UTF-8"):
        arguments("resumir", SCHEMA, [f"texto=@{picture}"])


def test_schema_prints_the_schema_or_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == PASSED
    printed = json.loads(capsys.readouterr().out)
    assert printed["title"] == "Scenario"
    assert main(["schema", "--path"]) == PASSED
    assert json.loads(Path(capsys.readouterr().out.strip()).read_text()) == printed


def test_mocks_prints_what_a_shell_takes() -> None:
    assert exports({"A": "http://x", "B": "it's"}) == "export A=http://x\nexport B='it'\"'\"'s'"


@pytest.mark.realtime
@pytest.mark.enable_socket
def test_mocks_tells_a_fault_that_could_never_act(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mocks", "--fault", "grace: CLASIFIER is down", "--print-env", *FREE_PORTS]) == COULD_NOT_RUN
    assert "CLASSIFIER" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "call", "mocks", "record", "schema"])
def test_help_teaches_by_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert "example" in capsys.readouterr().out.lower() or command == "schema"


@pytest.mark.parametrize(
    ("words", "mend"),
    [
        (["mcp-server-tzzr", "--offline"], "tzzr record -- mcp-server-tzzr --offline"),
        (["node", "a b.js", "-v"], "tzzr record -- node 'a b.js' -v"),
        (["--to", "x.jsonl", "server", "--to-all"], "tzzr record --to x.jsonl -- server --to-all"),
        (["--to=x.jsonl", "server", "--port", "1"], "tzzr record --to=x.jsonl -- server --port 1"),
    ],
)
def test_record_tells_where_the_servers_own_options_go(
    words: list[str], mend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["record", *words])

    assert ended.value.code == COULD_NOT_RUN
    assert f"put -- before the command: {mend}\n" in capsys.readouterr().err


def test_an_option_that_no_command_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--nope"])

    assert ended.value.code == COULD_NOT_RUN
    assert "unrecognized arguments: --nope" in capsys.readouterr().err


def test_a_misspelt_command_is_told_as_it_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["chta"])

    assert ended.value.code == 2
    assert "there is no command 'chta'; did you mean chat?  commands: run, " in capsys.readouterr().err
