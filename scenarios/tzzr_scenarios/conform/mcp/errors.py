"""How mistakes are told: of the caller in the protocol, and of a model in a tool's arguments (contract §2 and §5)."""

from __future__ import annotations

import base64
from typing import Any, Final

from tzzr_scenarios.conform.mcp.book import BOOK
from tzzr_scenarios.conform.mcp.probe import NOTHING, Answer, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

_INTERNALS: Final = (
    "Traceback",
    "Exception",
    "pydantic",
    "jsonschema",
    "KeyError",
    "TypeError",
    ".py",
    "http://",
    "https://",
)
_MISTAKES: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    ("clasificar", {}, "texto"),
    ("resumir", {"texto": "hola", "max_palabras": "muchas"}, "max_palabras"),
    ("buscar_tags", {"consulta": "sol", "limite": 0}, "limite"),
    ("clasificar", {"texto": "hola", "modo": "loose"}, "modo"),
    ("embeddings", {"texto": "hola", "dimensiones": 7}, "dimensiones"),
    ("traducir", {"texto": "hola"}, "idioma_destino"),
)
"""Calls with one wrong argument, and its name."""


async def _call(probe: Probe, tool: str, **arguments: Any) -> Answer:
    """The answer to a call. Raises `NotJudged`: the tool is not listed, which another rule tells."""
    items, _ = await probe.every("tools/list", "tools")
    if tool not in [item.get("name") for item in items]:
        raise NotJudged(f"{tool} is not listed; see names.tools")
    return await probe.call(tool, **arguments)


async def _mistakes(probe: Probe) -> list[int]:
    """Which of the mistakes are in calls of tools that are listed. Raises `NotJudged`: none is."""
    items, _ = await probe.every("tools/list", "tools")
    names = [item.get("name") for item in items]
    known = [index for index, (tool, _, _) in enumerate(_MISTAKES) if tool in names]
    if not known:
        raise NotJudged("none of the tools is listed; see names.tools")
    return known


async def _mistaken(probe: Probe, index: int = 0) -> Answer:
    """The answer to a call with a mistake. Raises `NotJudged`: it is not told as a result with ``isError``."""
    tool, arguments, _ = _MISTAKES[index]
    answer = await _call(probe, tool, **arguments)
    if answer.result.get("isError") is not True:
        raise NotJudged(f"the mistake in {tool} is no result with isError; see errors.result")
    return answer


@BOOK.rule("errors.unknown-tool", "MCP: tools/call")
async def knows_no_such_tool(probe: Probe) -> None:
    """A tool that there is not is the JSON-RPC error -32602."""
    answer = await probe.call("no_such_tool")
    hold(answer, answer.code == -32602, "error.code", -32602, answer.code)


@BOOK.rule("errors.no-name", "JSON-RPC 2.0: invalid params")
async def wants_the_name_of_a_tool(probe: Probe) -> None:
    """``tools/call`` without ``name`` is error -32602."""
    answer = await probe.ask("tools/call", {"arguments": {}})
    hold(answer, answer.code == -32602, "error.code", -32602, answer.code)


@BOOK.rule("errors.result", "contract §5, MCP: tool errors")
async def tells_a_model_of_its_mistake(probe: Probe) -> None:
    """A wrong argument is a result with ``isError`` true, which a model sees, and no JSON-RPC error."""
    for index in await _mistakes(probe):
        tool, arguments, _ = _MISTAKES[index]
        answer = await probe.call(tool, **arguments)
        came = answer.at("result", "isError")
        hold(answer, came is True, "result.isError", True, came if came != NOTHING else answer.at("error"))


@BOOK.rule("errors.argument", "contract §5: names the argument")
async def names_the_argument(probe: Probe) -> None:
    """The sentence names the argument that is wrong, or missing."""
    for index in await _mistakes(probe):
        argument, answer = _MISTAKES[index][2], await _mistaken(probe, index)
        hold(answer, argument in answer.text, "result.content[0].text", f"names {argument}", answer.text)


@BOOK.rule("errors.value", "contract §5: the value given")
async def tells_the_value(probe: Probe) -> None:
    """The sentence tells the value that was given."""
    for index, value in ((1, "muchas"), (2, "0"), (3, "loose")):
        answer = await _mistaken(probe, index)
        hold(answer, value in answer.text, "result.content[0].text", f"tells {value}", answer.text)


@BOOK.rule("errors.accepted", "contract §5: what is accepted")
async def tells_what_is_accepted(probe: Probe) -> None:
    """The sentence tells what is accepted: the values, or the bounds."""
    for index, accepted in ((3, ("strict", "lenient")), (2, ("1", "100"))):
        answer = await _mistaken(probe, index)
        missing = [word for word in accepted if word not in answer.text]
        hold(answer, not missing, "result.content[0].text", f"tells {' and '.join(accepted)}", answer.text)


@BOOK.rule("errors.one", "contract §2: how a tool reports one")
async def tells_one_thing(probe: Probe) -> None:
    """The only content of such a result is one text."""
    answer = await _mistaken(probe)
    content = answer.result.get("content")
    kept = isinstance(content, list) and len(content) == 1 and content[0].get("type") == "text"
    hold(answer, kept and bool(answer.text.strip()), "result.content", [{"type": "text", "text": "…"}], content)


@BOOK.rule("errors.no-structure", "contract §2: how a tool reports one")
async def gives_no_structure_with_an_error(probe: Probe) -> None:
    """Such a result has no ``structuredContent``: clients would hold it to the output schema."""
    answer = await _mistaken(probe)
    came = answer.result.get("structuredContent", NOTHING)
    hold(answer, came in (NOTHING, None), "result.structuredContent", NOTHING, came)


@BOOK.rule("errors.meta", "contract §2: _meta")
async def tells_a_program_too(probe: Probe) -> None:
    """``_meta["tzzr/error"]`` has ``code``, ``message``, ``retryable`` and ``details``."""
    answer = await _mistaken(probe)
    came = answer.at("result", "_meta", "tzzr/error")
    missing = {"code", "message", "retryable", "details"} - (came.keys() if isinstance(came, dict) else set())
    hold(answer, not missing, '_meta["tzzr/error"]', "code, message, retryable, details", came)


@BOOK.rule("errors.code", "contract §2: ARGUMENT_INVALID")
async def calls_it_by_its_code(probe: Probe) -> None:
    """Its code is ARGUMENT_INVALID, which is not retryable, and ``details.argument`` names the argument."""
    for index in await _mistakes(probe):
        argument, answer = _MISTAKES[index][2], await _mistaken(probe, index)
        error = answer.at("result", "_meta", "tzzr/error")
        if not isinstance(error, dict):
            raise NotJudged('there is no _meta["tzzr/error"]; see errors.meta')
        details = error.get("details")
        came = [
            error.get("code"),
            error.get("retryable"),
            details.get("argument") if isinstance(details, dict) else details,
        ]
        expected = ["ARGUMENT_INVALID", False, argument]
        hold(answer, came == expected, "code, retryable, details.argument", expected, came)


@BOOK.rule("errors.internals", "contract §2: one Spanish sentence")
async def shows_nothing_of_its_inside(probe: Probe) -> None:
    """No sentence shows a traceback, the name of an exception, a file or an address."""
    for index in await _mistakes(probe):
        answer = await _mistaken(probe, index)
        seen = [word for word in _INTERNALS if word in answer.text]
        hold(answer, not seen, "result.content[0].text", "a sentence for people", answer.text)


@BOOK.rule("errors.exactly-one", "contract §5: exactly one of")
async def wants_exactly_one_of_several(probe: Probe) -> None:
    """Neither of two arguments, or both, is a mistake where exactly one is taken."""
    octets = base64.b64encode(b"hola").decode()
    for arguments in ({}, {"texto": "hola", "contenido_base64": octets}):
        answer = await _call(probe, "generar_hash", **arguments)
        came = answer.at("result", "isError")
        hold(answer, came is True, "result.isError", True, came if came != NOTHING else answer.at("error"))


@BOOK.rule("errors.file", "contract §5: archivo")
async def opens_no_file_outside_its_folders(probe: Probe) -> None:
    """A file outside the allowed folders is not read."""
    answer = await _call(probe, "ocr", archivo="/etc/passwd")
    came = answer.at("result", "isError")
    hold(answer, came is True, "result.isError", True, came if came != NOTHING else answer.at("error"))


@BOOK.rule("errors.file-code", "contract §2: FILE_NOT_ALLOWED")
async def calls_a_file_outside_by_its_code(probe: Probe) -> None:
    """Its code is FILE_NOT_ALLOWED, whether the file is there or not."""
    for path in ("/etc/passwd", "/no/such/file.png"):
        answer = await _call(probe, "ocr", archivo=path)
        if answer.result.get("isError") is not True:
            raise NotJudged("it is no error; see errors.file")
        came = answer.at("result", "_meta", "tzzr/error", "code")
        hold(answer, came in ("FILE_NOT_ALLOWED", NOTHING), "code", "FILE_NOT_ALLOWED", came)


@BOOK.rule("errors.base64", "contract §5")
async def refuses_what_is_no_base64(probe: Probe) -> None:
    """Content that is not base64 is a result with ``isError``."""
    answer = await _call(probe, "generar_hash", contenido_base64="esto no es base64 *")
    came = answer.at("result", "isError")
    hold(answer, came is True, "result.isError", True, came if came != NOTHING else answer.at("error"))
