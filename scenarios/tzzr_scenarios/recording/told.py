"""A session told as a scenario: each request a step, with what was stable in its answer as the expectation."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mcp import types
from pydantic import ValidationError

from tzzr_scenarios.observation import Observation, of_text, of_tool
from tzzr_scenarios.recording import stable
from tzzr_scenarios.recording.documents import Documents
from tzzr_scenarios.recording.session import Asked, Session
from tzzr_scenarios.stage import DEFAULT_PLUGINS, ERAS

Step = dict[str, Any]
_KEPT_SETTINGS = re.compile(r"(_TIMEOUT_S|_TIMEOUTS|_MAX_CALLS|_TTL_S)$")
"""Settings that change what a client sees; addresses and ports do not."""
_LISTS = {
    "tools/list": ("tools", "tools", "name"),
    "resources/list": ("resources", "resources", "uri"),
    "resources/templates/list": ("templates", "resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "prompts", "name"),
}


def documents_for(session: Session, folder: str) -> Documents:
    """Where the scenario's documents will be; `archivo` was read from the folders of the server's settings."""
    roots = session.head.settings.get("TZZR_FILES_ROOT", "").split(os.pathsep)
    return Documents(folder, tuple(Path(root) for root in roots if root))


def scenario(session: Session, documents: Documents, title: str = "") -> dict[str, Any]:
    """The scenario as plain values, in the order in which a person writes them."""
    steps = list(_steps(session, documents))
    given = _given(session, documents)
    return {"scenario": title or _title(session), **({"given": given} if given else {}), "steps": steps}


def _title(session: Session) -> str:
    calls = [str(asked.params.get("name")) for asked in session.asked if asked.method == "tools/call"]
    named = ", ".join(dict.fromkeys(calls)) or session.asked[0].method
    counted = f"{len(session.asked)} request{'' if len(session.asked) == 1 else 's'}"
    return f"A recorded session ({counted}: {named}) still goes the same way"


def _given(session: Session, documents: Documents) -> dict[str, Any]:
    settings = session.head.settings
    faults = re.split(r"[;\n]", settings.get("TZZR_FAULTS", ""))
    seed = settings.get("TZZR_SEED", "")
    given = {
        "seed": int(seed) if seed.isdecimal() else None,
        "era": session.era if session.era != ERAS[0] else None,
        "faults": [f"{fault.strip()} optional" for fault in faults if fault.strip()],
        "settings": {name: value for name, value in settings.items() if _KEPT_SETTINGS.search(name)},
        "files": {name: {"copy": made} for name, made in documents.laid.items()},
        "plugins": _plugins(session),
    }
    return {name: value for name, value in given.items() if value not in (None, [], {})}


def _plugins(session: Session) -> list[str]:
    """The plugins to enable, when the session had others than the default ones."""
    said = session.head.settings.get("TZZR_PLUGINS", "")
    named = [word.strip() for word in said.split(",") if word.strip()]
    for asked in session.asked:
        for tool in (asked.result or {}).get("tools", ()):
            plugin = (tool.get("_meta") or {}).get("tzzr/plugin")
            if plugin and plugin not in named:
                named.append(str(plugin))
    return named if set(named) - set(DEFAULT_PLUGINS.split(",")) or (said and named) else []


def _without_repeats(asked: Sequence[Asked]) -> list[Asked]:
    """Without the lists that a client asked for again and again and that never changed."""
    last: dict[str, Any] = {}
    kept = []
    for each in asked:
        if each.method not in _LISTS or last.get(each.method) != each.result:
            kept.append(each)
        if each.method in _LISTS:
            last[each.method] = each.result
    return kept


def _steps(session: Session, documents: Documents) -> Iterator[Step]:
    """The steps, with what was asked before the answer to another came as `parallel`."""
    group: list[Step] = []
    until = 0.0
    for asked in _without_repeats(session.asked):
        try:
            told = step(asked, documents)
        except (KeyError, TypeError, ValidationError):
            session.left_out[f"{asked.method} that is not as the protocol says"] += 1
            continue
        if group and asked.at >= until:
            yield _one(group)
            group = []
        group.append(told)
        until = max(until, asked.until or asked.at)
    if group:
        yield _one(group)


def _one(group: Sequence[Step]) -> Step:
    return group[0] if len(group) == 1 else {"parallel": list(group)}


def step(asked: Asked, documents: Documents) -> Step:
    """One request as a step."""
    if asked.method in _LISTS:
        kind, key, name = _LISTS[asked.method]
        values = [str(item.get(name)) for item in (asked.result or {}).get(key, ())]
        return {"list": kind, **_expect({"values": values} if asked.result else {}, asked)}
    return _STEPS[asked.method](asked, documents)


def _call(asked: Asked, documents: Documents) -> Step:
    arguments = documents.arguments(asked.params.get("arguments") or {})
    given = {"with": arguments} if arguments else {}
    if asked.given_up is not None:
        return {"cancel": asked.params["name"], **given, "after": f"{max(0.1, asked.given_up - asked.at):.1f}s"}
    expect = _of_tool(of_tool(types.CallToolResult.model_validate(asked.result), 0.0)) if asked.result else {}
    return {"call": asked.params["name"], **given, **_expect(expect, asked)}


def _of_tool(seen: Observation) -> dict[str, Any]:
    if seen.error is not None:
        code = seen.error.get("code")
        return {"error": code if code != "?" else {"any": True}, "text": stable.text(seen.text)}
    source = (seen.structured or {}).get("source") or {}
    expect = {"data": stable.expectation(seen.data) if seen.data is not stable.LEAVE else stable.LEAVE}
    expect["text"] = stable.text(seen.text)
    expect["source"] = {"name": source["name"]} if "name" in source else stable.LEAVE
    expect["hops"] = list(seen.hops) if len(seen.hops) > 1 else stable.LEAVE
    return expect


def _read(asked: Asked, documents: Documents) -> Step:
    contents = (asked.result or {}).get("contents", ())
    seen = of_text("\n".join(str(content.get("text", "")) for content in contents), 0.0)
    parsed = seen.data is not stable.LEAVE
    expect = {"data": stable.expectation(seen.data)} if parsed else {"text": stable.text(seen.text)}
    return {"read": asked.params["uri"], **_expect(expect if contents else {}, asked)}


def _prompt(asked: Asked, documents: Documents) -> Step:
    arguments = documents.arguments(asked.params.get("arguments") or {})
    messages = (asked.result or {}).get("messages", ())
    text = "\n".join(str((message.get("content") or {}).get("text", "")) for message in messages)
    expect = {"text": stable.text(text)} if messages else {}
    return {"prompt": asked.params["name"], **({"with": arguments} if arguments else {}), **_expect(expect, asked)}


def _complete(asked: Asked, documents: Documents) -> Step:
    reference, argument = asked.params["ref"], asked.params["argument"]
    values = ((asked.result or {}).get("completion") or {}).get("values")
    about = {"argument": argument["name"], "value": argument.get("value", "")}
    subject = reference.get("uri") or reference.get("name")
    return {"complete": subject, **about, **_expect({"values": values} if values is not None else {}, asked)}


_STEPS: Mapping[str, Callable[[Asked, Documents], Step]] = {
    "tools/call": _call,
    "resources/read": _read,
    "prompts/get": _prompt,
    "completion/complete": _complete,
}


def _expect(expect: Mapping[str, Any], asked: Asked) -> Step:
    """The part `expect` of a step, if anything is expected; a JSON-RPC error is expected by its code."""
    error = (asked.answer or {}).get("error")
    if error is not None:
        return {"expect": {"protocol_error": error.get("code")}}
    held = {name: value for name, value in expect.items() if value is not stable.LEAVE}
    return {"expect": held} if held else {}
