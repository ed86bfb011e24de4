"""What the models of the contract are made of: their two bases, the shared field types, errors with JSON Pointers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
)
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, core_schema

from tzzr_mcp.contract.catalogue import LANG_OR_AUTO_PATTERN, LANG_PATTERN, MODULES

Location = tuple[str | int, ...]
Violation = tuple[Location, str]
"""Where in the document, and what is wrong there (English, for developers)."""

UUID4_PATTERN: Final = r"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$(?!\n)"
HEX64_PATTERN: Final = r"^[0-9a-f]{64}$(?!\n)"
TIMESTAMP_PATTERN: Final = (
    r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$(?!\n)"
)


class Strict(BaseModel):
    """What we send: nothing is converted, an unknown field is refused (contract §1)."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", allow_inf_nan=False, regex_engine="python-re", defer_build=True
    )


class Growing(BaseModel):
    """What we receive: as strict, but unknown fields are ignored, so that GRACE may grow (contract §1)."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", allow_inf_nan=False, regex_engine="python-re", defer_build=True
    )


@dataclass(frozen=True, slots=True)
class OneOf:
    """A string out of a list that is known only at run time: `Annotated[str, OneOf(names)]`."""

    values: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.literal_schema(list(self.values))


class Absent:
    """Marks a field of type `T | None` that may be left out (then it is None) but may not be null on the wire."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler.generate_schema(get_args(source)[0])


def _whole(value: object) -> object:
    # JSON has one number type, and JSON Schema counts 3.0 as an integer.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _distinct(values: list[Hashable]) -> list[Hashable]:
    if len(set(values)) < len(values):
        raise PydanticCustomError("unique", "the items are not unique")
    return values


def _on_the_calendar(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise PydanticCustomError("timestamp", "not a day of the calendar") from error
    return text


Whole = BeforeValidator(_whole)
Count = Annotated[int, Field(ge=0), Whole]
Positive = Annotated[int, Field(ge=1), Whole]
Ratio = Annotated[float, Field(ge=0, le=1)]
NonNegative = Annotated[float, Field(ge=0)]
Seconds = NonNegative
Unique = AfterValidator(_distinct)
Lang = Annotated[str, Field(pattern=LANG_PATTERN)]
LangOrAuto = Annotated[str, Field(pattern=LANG_OR_AUTO_PATTERN)]
Uuid4 = Annotated[str, Field(pattern=UUID4_PATTERN)]
Hex64 = Annotated[str, Field(pattern=HEX64_PATTERN)]
Timestamp = Annotated[str, Field(pattern=TIMESTAMP_PATTERN), AfterValidator(_on_the_calendar)]
ModuleName = Annotated[str, OneOf(tuple(MODULES))]


def refuse(title: str, violations: Iterable[Violation]) -> None:
    """Raise pydantic's ValidationError for `violations`; do nothing when there is none.

    Raised inside a validator, pydantic prefixes each location with where that validator stands.
    """
    lines = [
        InitErrorDetails(type=PydanticCustomError("contract", "{message}", {"message": message}), loc=loc, input=None)
        for loc, message in violations
    ]
    if lines:
        raise ValidationError.from_exception_data(title, lines)


def violations_of(error: ValidationError, prefix: Location = ()) -> list[Violation]:
    """What `error` says, below `prefix`; the offending values are left out (they may be 7 MiB long)."""
    return [((*prefix, *line["loc"]), line["msg"]) for line in error.errors(include_input=False, include_url=False)]


def pointer(location: Sequence[str | int]) -> str:
    """The JSON Pointer (RFC 6901) of `location`; "" is the whole document."""
    return "".join(f"/{str(token).replace('~', '~0').replace('/', '~1')}" for token in location)


def details_of(error: ValidationError) -> list[dict[str, Any]]:
    """`details.errors` of CONTRACT_INVALID: `{pointer, message}` each (contract §2)."""
    return [{"pointer": pointer(location), "message": message} for location, message in violations_of(error)]
