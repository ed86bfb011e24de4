"""RunPod's queue around the worker, as its documents and live captures show it, or plain HTTP."""

from __future__ import annotations

from typing import Any, Final

from tzzr_scenarios.conform.grace import samples
from tzzr_scenarios.conform.grace.book import BOOK
from tzzr_scenarios.conform.grace.door import FINAL, Reply
from tzzr_scenarios.conform.grace.probe import NOTHING, Probe
from tzzr_scenarios.conform.rule import NotJudged, hold

STATES: Final = FINAL | {"IN_QUEUE", "IN_PROGRESS"}
_NO_JOB: Final = "00000000-0000-4000-8000-000000000000-u1"


async def ask(probe: Probe, method: str, path: str, body: Any = None, **options: Any) -> Reply:
    """A request of the platform, which is the evidence from now on."""
    reply = await probe.line.ask(method, path, body, **options)
    probe.last = reply
    return reply


def shown(reply: Reply) -> dict[str, Any]:
    """The body of an answer. Raises `NotJudged`: it is no object."""
    if not isinstance(reply.json, dict):
        raise NotJudged(f"HTTP {reply.status} with no JSON object; see door.accepts")
    return dict(reply.json)


async def _job(probe: Probe) -> str:
    job = shown(await ask(probe, "POST", "/run", {"input": probe.author.stamped(samples.good("LANG_DETECT"))}))
    if not isinstance(job.get("id"), str):
        raise NotJudged("/run gave no id; see door.accepts")
    return str(job["id"])


async def _ended(probe: Probe) -> str:
    """The id of a job that has ended."""
    name, reply = await _job(probe), None
    until = probe.line.clock.monotonic() + probe.line.wait_s
    while probe.line.clock.monotonic() < until:
        reply = await ask(probe, "GET", f"/status/{name}")
        if shown(reply).get("status") in FINAL:
            return name
        await probe.line.clock.sleep(0.5)
    raise NotJudged(f"the job {name} did not end within {probe.line.wait_s:g} s")


@BOOK.rule("door.accepts", "RunPod: /run", only=["runpod"])
async def accepts_a_job(probe: Probe) -> None:
    """POST /run answers 200 with ``id`` and ``status``, a text and IN_QUEUE."""
    reply = await ask(probe, "POST", "/run", {"input": probe.author.stamped(samples.good("LANG_DETECT"))})
    hold(reply, reply.status == 200, "status", 200, reply.status)
    body: dict[str, Any] = reply.json if isinstance(reply.json, dict) else {}
    hold(reply, isinstance(body.get("id"), str) and body.get("status") == "IN_QUEUE", "body",
         {"id": "…", "status": "IN_QUEUE"}, reply.json)  # fmt: skip


@BOOK.rule("door.json", "RunPod: every answer", only=["runpod"])
async def answers_as_json(probe: Probe) -> None:
    """Answers are ``application/json``: RunPod's clients take nothing else."""
    for method, path, body in (("POST", "/run", {"input": probe.author.stamped(samples.good("LANG_DETECT"))}),
                               ("GET", "/health", None)):  # fmt: skip
        reply = await ask(probe, method, path, body)
        hold(reply, reply.media_type == "application/json", "content-type", "application/json", reply.media_type)


@BOOK.rule("door.plain-json", "plain HTTP", only=["http"])
async def answers_plainly_as_json(probe: Probe) -> None:
    """The answer to a POST is ``application/json``."""
    answer = await probe.good("HASHER")
    reply = answer.delivery.reply
    hold(answer, reply.media_type == "application/json", "content-type", "application/json", reply.media_type)


@BOOK.rule("door.states", "RunPod: /status", only=["runpod"])
async def tells_the_state_of_a_job(probe: Probe) -> None:
    """GET /status/{id} has the job's ``id`` and one of the six states."""
    name = await _job(probe)
    reply = await ask(probe, "GET", f"/status/{name}")
    body = shown(reply)
    hold(reply, body.get("id") == name, "id", name, body.get("id", NOTHING))
    hold(reply, body.get("status") in STATES, "status", ", ".join(sorted(STATES)), body.get("status", NOTHING))


@BOOK.rule("door.times", "RunPod: /status of a job that has ended", only=["runpod"])
async def tells_the_times_of_a_job(probe: Probe) -> None:
    """A completed job has ``delayTime`` and ``executionTime``, whole milliseconds."""
    reply = await ask(probe, "GET", f"/status/{await _ended(probe)}")
    for name in ("delayTime", "executionTime"):
        came = shown(reply).get(name, NOTHING)
        hold(reply, isinstance(came, int) and not isinstance(came, bool), name, "whole milliseconds", came)


@BOOK.rule("door.again", "RunPod: results are kept", only=["runpod"])
async def tells_a_result_again(probe: Probe) -> None:
    """A completed job reads the same when it is read again, by GET and by POST."""
    name = await _ended(probe)
    first = shown(await ask(probe, "GET", f"/status/{name}"))
    for method in ("GET", "POST"):
        reply = await ask(probe, method, f"/status/{name}")
        hold(reply, reply.json == first, "body", first, reply.json)


@BOOK.rule("door.held", "RunPod: /status-sync", only=["runpod"])
async def holds_until_a_job_has_ended(probe: Probe) -> None:
    """GET /status-sync/{id} answers with a state that is final, once the job has ended."""
    reply = await ask(probe, "GET", f"/status-sync/{await _ended(probe)}?wait=5000")
    came = shown(reply).get("status", NOTHING)
    hold(reply, came in FINAL, "status", ", ".join(sorted(FINAL)), came)


@BOOK.rule("door.stream", "RunPod: /stream", only=["runpod"])
async def streams_a_list(probe: Probe) -> None:
    """GET /stream/{id} has ``status`` and the list ``stream``, empty when there is nothing to show."""
    reply = await ask(probe, "GET", f"/stream/{await _ended(probe)}?wait=1000")
    body = shown(reply)
    kept = isinstance(body.get("stream"), list) and body.get("status") in STATES
    hold(reply, kept, "body", {"status": "COMPLETED", "stream": []}, body)


@BOOK.rule("door.unknown-job", "RunPod: errors", only=["runpod"])
async def knows_no_job_of_that_name(probe: Probe) -> None:
    """A job that there is not is HTTP 404."""
    reply = await ask(probe, "GET", f"/status/{_NO_JOB}")
    hold(reply, reply.status == 404, "status", 404, reply.status)


@BOOK.rule("door.no-input", "RunPod: errors", only=["runpod"])
async def wants_an_input(probe: Probe) -> None:
    """A job without ``input`` is HTTP 400, with the error as JSON."""
    reply = await ask(probe, "POST", "/run", {"policy": {}})
    hold(reply, reply.status == 400, "status", 400, reply.status)
    error = reply.json.get("error") if isinstance(reply.json, dict) else reply.json
    hold(reply, isinstance(error, str), "error", "a text", error)


@BOOK.rule("door.bad-json", "RunPod: errors", only=["runpod"])
async def wants_json(probe: Probe) -> None:
    """A body that is not JSON is HTTP 400."""
    reply = await ask(probe, "POST", "/run", raw=b'{"input": ')
    hold(reply, reply.status == 400, "status", 400, reply.status)


@BOOK.rule("door.key", "RunPod: authentication", only=["runpod"])
async def lets_nobody_in_without_a_key(probe: Probe) -> None:
    """Without a key, and with a wrong one, the answer is HTTP 401."""
    for key in (None, "Bearer rpa_no_such_key"):
        reply = await ask(probe, "GET", "/health", key=key)
        hold(reply, reply.status == 401, "status", 401, reply.status)


@BOOK.rule("door.bare-key", "RunPod: authentication", only=["runpod"])
async def takes_a_bare_key(probe: Probe) -> None:
    """The key alone is taken too, without ``Bearer``, as RunPod's own examples send it."""
    if not probe.line.secret:
        raise NotJudged("no key was given")
    reply = await ask(probe, "GET", "/health", key=probe.line.secret)
    hold(reply, reply.status == 200, "status", 200, reply.status)


@BOOK.rule("door.wait", "RunPod: wait", only=["runpod"])
async def wants_a_wait_within_its_bounds(probe: Probe) -> None:
    """A ``wait`` under 1000 ms is HTTP 400."""
    asked = {"input": probe.author.stamped(samples.good("LANG_DETECT"))}
    reply = await ask(probe, "POST", "/runsync?wait=29", asked)
    hold(reply, reply.status == 400, "status", 400, reply.status)


@BOOK.rule("door.health", "RunPod: /health", only=["runpod"])
async def counts_jobs_and_workers(probe: Probe) -> None:
    """GET /health counts ``jobs`` and ``workers`` in whole numbers."""
    reply = await ask(probe, "GET", "/health")
    body = shown(reply)
    for name in ("jobs", "workers"):
        counts = body.get(name)
        kept = isinstance(counts, dict) and bool(counts) and all(isinstance(each, int) for each in counts.values())
        hold(reply, kept, name, "whole numbers by name", counts)


@BOOK.rule("door.cancel", "RunPod: /cancel", only=["runpod"], changes=True)
async def cancels_a_job(probe: Probe) -> None:
    """POST /cancel/{id} answers 200 with the job's id and its state, for a body and for none."""
    bodies: tuple[Any, ...] = (None, {})
    for body in bodies:
        name = await _job(probe)
        reply = await ask(probe, "POST", f"/cancel/{name}", body)
        hold(reply, reply.status == 200, "status", 200, reply.status)
        came = shown(reply)
        kept = came.get("id") == name and came.get("status") in STATES
        hold(reply, kept, "body", {"id": name, "status": "CANCELLED"}, came)
