"""The scenario language as frozen models: what a file may say, each key with what it means.

One JSON Schema is made from these (`tzzr schema`): validation, editor completion and the reference page are the same
thing. Short forms expand to these long forms; `tzzr run --explain FILE` prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from tzzr_mocks.llm.script import Rule
from tzzr_scenarios.language.values import Duration, Expectation, FaultSpec, Part

Service = Literal["grace", "hst", "context", "llm"]
Era = Literal["2026-07-28", "2025-11-25"]


class LaidFile(Part):
    """One file, by just one of these keys."""

    copy_of: str | None = Field(default=None, alias="copy", description="A copy of a document.")
    text: str | None = Field(default=None, description="This text.")
    size: int | None = Field(default=None, ge=0, le=1 << 30, description="So many zero bytes.")
    link: str | None = Field(default=None, description="A symbolic link to this path, from the folder that it is in.")
    pipe: Literal[True] | None = Field(default=None, description="A named pipe, which never ends.")

    @model_validator(mode="after")
    def _just_one(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("a file is laid by one of copy, text, size, link, pipe")
        return self


def inside(name: str) -> str:
    """A path that stays below the folder it starts from."""
    if name.startswith("/") or ".." in name.split("/") or not name.strip("/."):
        raise ValueError(f"a file's name is a relative path without .., not {name!r}")
    return name


class Given(Part):
    """The starting world."""

    include: str | None = Field(
        default=None,
        description="A file beside this one, `_NAME.yaml`, that holds what would stand under `given` of several files: "
        "its faults come first, and what is said here goes before what is said there.",
    )
    seed: int | None = Field(default=None, description="Seed of the world; the run's own (`--seed`) by default.")
    world: str = Field(default="default", description="Named starting world of the fakes, such as `recorded` for HST.")
    era: Era | None = Field(default=None, description="Protocol era of the client; the run's own (`--era`) by default.")
    faults: tuple[FaultSpec, ...] = Field(default=(), description="Faults that are there from the start.")
    settings: dict[str, str | int | float | bool] = Field(
        default_factory=dict, description="Environment variables of the server, beside those that reach the fakes."
    )
    files: dict[Annotated[str, AfterValidator(inside)], LaidFile] = Field(
        default_factory=dict, description="Files in a folder of the scenario's own, which `archivo` may name."
    )
    plugins: tuple[str, ...] = Field(default=(), description="Plugins to enable; the default four when empty.")
    model: tuple[Rule, ...] | None = Field(
        default=None,
        description="What the fake of the model does in `chat` steps: the first rule that applies is followed. Without "
        "any it chooses tools by the words of the question.",
    )


class SourceExpect(Part):
    """What the result says of its source."""

    name: Expectation = None
    kind: Expectation = None
    simulated: Expectation = None


class Expect(Part):
    """What the client must see. A step without `error`, `protocol_error` or `outcome` must succeed."""

    text: Expectation = Field(
        default=None, description="The result's text (a resource's content, a prompt's messages)."
    )
    data: Expectation = Field(
        default=None, description="`structuredContent.data` of a tool; a resource's content as JSON."
    )
    structured: Expectation = Field(default=None, description="The whole `structuredContent`.")
    source: SourceExpect | None = None
    tables: Expectation = Field(default=None, description="`structuredContent.tables`.")
    charts: Expectation = Field(default=None, description="`structuredContent.charts`.")
    notice: Expectation = Field(default=None, description="`structuredContent.notice`.")
    meta: Expectation = Field(default=None, description="`_meta`, without the prefix `tzzr/` on its keys.")
    error: Expectation = Field(
        default=None, description="The tool's error: its code, or its parts (`code`, `details` …)."
    )
    protocol_error: Expectation = Field(default=None, description="A JSON-RPC error: its code, or its parts.")
    outcome: Expectation = Field(
        default=None,
        description="`ok`, or the code of the error of either kind: for a step that may do both, such as `{any: true}`.",
    )
    hops: tuple[str, ...] | None = Field(
        default=None, description="The modules tried in order: `OCR_LOCAL ✗ MODULE_UNAVAILABLE`, `OCR_GROQ ✓`."
    )
    within: Duration | None = Field(default=None, description="At most this much virtual time.")
    takes: Expectation = Field(default=None, description="The virtual seconds that the step took.")
    progress: Expectation = Field(
        default=None,
        description="The progress notifications, as a list of their messages; they are asked for where this is said.",
    )
    values: Expectation = Field(
        default=None, description="What a `complete` step proposes, or the names that a `list` shows."
    )
    tools: Expectation = Field(
        default=None, description="Of a `chat`: the tools that ran, each with `name`, `arguments`, `outcome`, `text` …"
    )
    links: Expectation = Field(default=None, description="The links of the result; of a `chat`, those of every result.")
    notices: Expectation = Field(default=None, description="Of a `chat`: the messages shown: `level` and `text`.")
    stopped: Expectation = Field(
        default=None, description="Of a `chat`: why the turn ended: `answer`, `limit`, `error`."
    )
    usage: Expectation = Field(
        default=None, description="Of a `chat`: `rounds`, `tool_calls`, `input_tokens`, `output_tokens`."
    )


class Seen(Part):
    """One kind of request that a service must have seen: method and path, and what about it matters."""

    methods: ClassVar[tuple[str, ...]] = ("GET", "POST", "PATCH", "DELETE", "SEARCH")

    GET: str | None = None
    POST: str | None = None
    PATCH: str | None = None
    DELETE: str | None = None
    SEARCH: str | None = None
    module: str | None = Field(default=None, description="The S-CONTRACT module that the request is for.")
    times: Expectation = Field(default=None, description="How often; at least once when not given.")
    status: Expectation = Field(default=None, description="The answer's status.")
    body: Expectation = Field(default=None, description="The request's body as JSON.")
    query: Expectation = Field(default=None, description="The request's query parameters.")


Upstream = Annotated[
    dict[Service, tuple[Seen, ...]],
    Field(
        description="What each service must have seen since the step began (`after`: in all); an empty list: nothing."
    ),
]


class Step(Part):
    """What every step may say beside its verb."""

    expect: Expect = Field(default_factory=Expect)
    upstream: Upstream = Field(default={})
    save: dict[str, str] = Field(
        default_factory=dict, description="Values for later steps: name → JSONPath into the result; used as `${name}`."
    )

    def inner(self) -> Iterator[tuple[tuple[str | int, ...], Step]]:
        """The steps inside this one, each with its path from here."""
        yield from ()


class CallStep(Step):
    """Call a tool."""

    call: str = Field(description="The tool's name.")
    arguments: dict[str, Any] = Field(
        default_factory=dict, alias="with", description="Its arguments; `{file: …}` and `{base64: …}` read documents."
    )
    timeout: Duration | None = Field(default=None, description="The client's own time-out for this call.")


class ChatStep(Step):
    """Ask the chat gateway something. The next one goes on with the conversation."""

    chat: str = Field(min_length=1, description="The question.")
    about: str | dict[str, str] = Field(
        default="", description="Text that the person pastes below it, or `{file: PATH}`, a document's."
    )
    conversation: str = Field(default="", description="Which conversation this is of; each name is one of its own.")


class ReadStep(Step):
    """Read a resource."""

    read: str = Field(description="Its URI.")


class PromptStep(Step):
    """Get a prompt."""

    prompt: str = Field(description="The prompt's name.")
    arguments: dict[str, Any] = Field(default_factory=dict, alias="with", description="Its arguments.")


class CompleteStep(Step):
    """Ask for completions of a template's variable or a prompt's argument."""

    complete: str = Field(description="URI template, or prompt name.")
    argument: str = Field(description="The variable or argument.")
    value: str = Field(default="", description="What was typed so far.")


class ListStep(Step):
    """List what the server has."""

    list: Literal["tools", "resources", "templates", "prompts"]


class InjectStep(Step):
    """Plan one more fault."""

    inject: FaultSpec


class HealStep(Step):
    """Remove faults: `all`, or the one that was planned with these words."""

    heal: str


class AdvanceStep(Step):
    """Let time pass."""

    advance: Duration


class CancelStep(Step):
    """Call a tool and give it up after a while, as a client does whose user pressed stop."""

    cancel: str = Field(description="The tool's name.")
    arguments: dict[str, Any] = Field(default_factory=dict, alias="with", description="Its arguments.")
    after: Duration = Field(description="When the client gives up.")


class ParallelStep(Step):
    """Run several steps at once."""

    parallel: tuple[AnyStep, ...] = Field(min_length=1)

    def inner(self) -> Iterator[tuple[tuple[str | int, ...], Step]]:
        """The steps that run at once."""
        yield from ((("parallel", number), step) for number, step in enumerate(self.parallel))


class RepeatStep(Step):
    """Run steps several times."""

    repeat: int = Field(ge=1, le=1000)
    steps: tuple[AnyStep, ...] = Field(min_length=1)

    def inner(self) -> Iterator[tuple[tuple[str | int, ...], Step]]:
        """The steps that are repeated."""
        yield from ((("steps", number), step) for number, step in enumerate(self.steps))


class UntilStep(Step):
    """Try one step again until what it expects holds. Every attempt stands in the story."""

    until: LookStep = Field(description="The step: `call`, `read`, `prompt`, `complete` or `list`.")
    every: Duration = Field(default=1.0, gt=0, description="How long to wait between two attempts; `1s` by default.")
    limit: Duration = Field(description="When to give up.")
    stop: Expect | None = Field(default=None, description="When this holds instead, the step fails at once.")

    def inner(self) -> Iterator[tuple[tuple[str | int, ...], Step]]:
        """The step that is tried."""
        yield ("until",), self.until


class RestartStep(Step):
    """End the server and start it anew, with a new client; the world, its faults and its time go on."""

    restart: Literal["server"]


class SnapshotStep(Step):
    """Keep what the services hold: rows, jobs that run, faults that are planned."""

    snapshot: str = Field(description="A name for `restore`.")


class RestoreStep(Step):
    """Let the services go back to a snapshot, as from a backup; the server, its clients and time go on."""

    restore: str = Field(description="The name of a `snapshot` before.")


VERBS: dict[str, type[Step]] = {
    "call": CallStep,
    "chat": ChatStep,
    "read": ReadStep,
    "prompt": PromptStep,
    "complete": CompleteStep,
    "list": ListStep,
    "inject": InjectStep,
    "heal": HealStep,
    "advance": AdvanceStep,
    "cancel": CancelStep,
    "parallel": ParallelStep,
    "repeat": RepeatStep,
    "until": UntilStep,
    "restart": RestartStep,
    "snapshot": SnapshotStep,
    "restore": RestoreStep,
}
"""Each step's verb and its model."""
LOOKS = ("call", "read", "prompt", "complete", "list")
"""The verbs that ask the server for something, and may be asked again."""


def verb_of(step: Any) -> str | None:
    """The verb of a step, as written or as read; None when it has none."""
    if isinstance(step, dict):
        return next((verb for verb in VERBS if verb in step), None)
    return next((verb for verb, model in VERBS.items() if type(step) is model), None)


AnyStep = Annotated[
    Annotated[CallStep, Tag("call")]
    | Annotated[ChatStep, Tag("chat")]
    | Annotated[ReadStep, Tag("read")]
    | Annotated[PromptStep, Tag("prompt")]
    | Annotated[CompleteStep, Tag("complete")]
    | Annotated[ListStep, Tag("list")]
    | Annotated[InjectStep, Tag("inject")]
    | Annotated[HealStep, Tag("heal")]
    | Annotated[AdvanceStep, Tag("advance")]
    | Annotated[CancelStep, Tag("cancel")]
    | Annotated[ParallelStep, Tag("parallel")]
    | Annotated[RepeatStep, Tag("repeat")]
    | Annotated[UntilStep, Tag("until")]
    | Annotated[RestartStep, Tag("restart")]
    | Annotated[SnapshotStep, Tag("snapshot")]
    | Annotated[RestoreStep, Tag("restore")],
    Discriminator(verb_of),
]


def all_steps(steps: Iterable[Step]) -> Iterator[Step]:
    """These steps and every step inside them."""
    for step in steps:
        yield step
        yield from all_steps(inner for _, inner in step.inner())


LookStep = Annotated[
    Annotated[CallStep, Tag("call")]
    | Annotated[ReadStep, Tag("read")]
    | Annotated[PromptStep, Tag("prompt")]
    | Annotated[CompleteStep, Tag("complete")]
    | Annotated[ListStep, Tag("list")],
    Discriminator(verb_of),
]


class After(Part):
    """What must hold when all is over: the client gone, the server ended."""

    upstream: Upstream = Field(default={})
    computed: dict[str, Expectation] = Field(
        default_factory=dict, description="How often GRACE computed each module, such as `OCR_LOCAL: 1`."
    )
    jobs: dict[str, Expectation] = Field(
        default_factory=dict, description="How many of RunPod's jobs ended up in each status, such as `CANCELLED: 1`."
    )


class CaseFile(Part):
    """A table beside the scenario's file, by one of these keys."""

    csv: str | None = Field(default=None, description="A CSV file whose first line names the columns.")
    json_file: str | None = Field(default=None, alias="json", description="A JSON file: a list of objects.")


class Scenario(Part):
    """One scenario file."""

    scenario: str = Field(min_length=8, description="The title: a sentence that says what must hold.")
    proves: tuple[str, ...] = Field(default=(), description="Ids of the requirements that this proves.")
    waives: tuple[str, ...] = Field(default=(), description="Verdicts that may be broken here (`tzzr run --verdicts`).")
    cases: list[dict[str, Any]] | CaseFile | None = Field(
        default=None,
        description="A table of rows. Each is a scenario of its own, with `${column}` in any text put in; "
        "a column `id` names the rows, which are numbered otherwise.",
    )
    given: Given = Given()
    steps: tuple[AnyStep, ...] = Field(min_length=1)
    after: After = After()


for _model in (ParallelStep, RepeatStep, UntilStep, Scenario):
    _model.model_rebuild()
