"""Settings out of environment variables: one field is one variable, whose name is the field's alias.

An empty variable counts as not set. What is wrong and what is missing is collected, so that it is told at once, and a
secret's value never.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from tzzr_mcp.checks.reasons import reason
from tzzr_mcp.seams.spelling import nearest

M = TypeVar("M", bound=BaseModel)

EX_CONFIG = 78
"""sysexits.h: something was found in an unconfigured or misconfigured state."""


class StartError(Exception):
    """The process cannot start; the message says what is wrong, and on its further lines what to do. Exit code 78."""

    exit_code = EX_CONFIG


@dataclass
class Reading:
    """Models read from one environment: ``missing`` are variables by name, each with who needs it; ``wrong`` sentences."""

    environ: Mapping[str, str]
    missing: dict[str, list[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def read(self, owner: str, model: type[M]) -> M | None:
        """The model's settings; None where something is wrong or missing, which is noted for ``owner``."""
        given = {name: self.environ[name] for name in variables(model) if self.environ.get(name, "").strip()}
        try:
            return model.model_validate(given)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                self._note(owner, model, detail)
            return None

    def _note(self, owner: str, model: type[BaseModel], detail: Any) -> None:
        name = str(detail["loc"][0]) if detail["loc"] else owner
        if detail["type"] == "missing":
            self.missing.setdefault(name, []).append(owner)
            return
        shown = "" if is_secret(variables(model).get(name)) else f" is {str(detail['input'])[:80]!r}"
        self.wrong.append(f"{name}{shown}: {reason(detail)}")


def variables(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The environment variables that ``model`` reads, by name."""
    return {info.alias or name: info for name, info in model.model_fields.items()}


GATEWAY = ("TZZR_MODEL", "TZZR_GATEWAY")
"""What the variables of the chat gateway begin with; they may stand in the same environment, and no server reads them."""


def unknown_variables(environ: Mapping[str, str], known: Collection[str]) -> list[str]:
    """One sentence for each ``TZZR_`` variable that nobody reads, with the nearest name that somebody does."""
    ours = (name for name in environ if name.startswith("TZZR_") and not name.startswith(GATEWAY))
    strange = sorted(name for name in ours if name not in known)
    return [f"{name} is set, but is no setting of this server{did_you_mean(name, known)}" for name in strange]


def did_you_mean(name: str, known: Collection[str]) -> str:
    """``; did you mean X?`` when something known is near, otherwise nothing."""
    near = nearest(name, sorted(known))
    return f"; did you mean {near}?" if near else ""


def is_secret(info: FieldInfo | None) -> bool:
    """Whether a setting's value may be shown nowhere; of an unknown setting too."""
    return info is None or "Secret" in str(info.annotation)


def listed(names: Sequence[str]) -> str:
    """``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def several(problems: Sequence[str], what: str) -> str:
    """One problem as it is; more below a line that counts them."""
    if len(problems) == 1:
        return problems[0]
    return "\n  - ".join([f"{len(problems)} {what}:", *problems])


def words(value: str) -> list[str]:
    """``a, b`` as its parts."""
    return [part for each in value.split(",") if (part := each.strip())]
