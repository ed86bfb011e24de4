"""The labelled texts: languages in three lengths, kinds of documents, and a caller's own themes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

__all__ = ["TASKS", "LabelledText", "Task"]

_SHORT_WORDS: Final = 4
_PARAGRAPH: Final = 3


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text, the label that is true of it, and the group that it is counted in."""

    id: str
    text: str
    label: str
    group: str


@dataclass(frozen=True, slots=True)
class Task:
    """What a module tells of texts: its name here, the module, the member of its result, and the labelled texts."""

    name: str
    module: str
    member: str
    texts: tuple[LabelledText, ...]
    choose_among_labels: bool = False

    @property
    def labels(self) -> list[str]:
        """Every label, in the order of the file."""
        return list(dict.fromkeys(text.label for text in self.texts))

    @property
    def params(self) -> dict[str, object]:
        """The module's parameters: the labels as categories, where it chooses among them."""
        return {"categories": self.labels} if self.choose_among_labels else {}


def _sections(name: str) -> Iterator[tuple[str, str]]:
    """Each section of a file: its label and its body."""
    text = files(__package__).joinpath("texts", f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for section in "\n".join(lines).split("\n= ")[1:]:
        label, _, body = section.partition("\n")
        yield label.strip(), body.strip()


def _languages() -> Iterator[LabelledText]:
    for language, body in _sections("languages"):
        lines = body.splitlines()
        sentences = [line for line in lines if len(line.split()) > _SHORT_WORDS]
        groups = {
            "short": [line for line in lines if line not in sentences],
            "sentence": sentences,
            "paragraph": [" ".join(sentences[at : at + _PARAGRAPH]) for at in range(0, len(sentences), _PARAGRAPH)],
        }
        for group, texts in groups.items():
            for place, text in enumerate(texts, start=1):
                yield LabelledText(f"{language}-{group}-{place}", text, language, group)


def _alternating(name: str, between: str) -> Iterator[LabelledText]:
    """The texts of a file; every other one of a section is held out."""
    for label, body in _sections(name):
        for place, text in enumerate(body.split(between)):
            yield LabelledText(f"{label}-{place + 1}", text, label, "held out" if place % 2 else "used")


TASKS: Final = {
    task.name: task
    for task in (
        Task("languages", "LANG_DETECT", "language", tuple(_languages())),
        Task("kinds", "CLASSIFIER", "category", tuple(_alternating("documents", "\n\n")), choose_among_labels=True),
        Task("themes", "CLASSIFIER", "category", tuple(_alternating("themes", "\n")), choose_among_labels=True),
    )
}
"""What is measured of texts, by name."""
