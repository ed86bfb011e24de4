"""Collections and their fields, as Directus knows them (CONTRACT §6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class FieldType(StrEnum):
    """Directus' names of the types that the tag collections use."""

    INTEGER = "integer"
    STRING = "string"
    TEXT = "text"
    BOOLEAN = "boolean"
    JSON = "json"
    TIMESTAMP = "timestamp"


@dataclass(frozen=True)
class Field:
    """One column: ``required`` means not null."""

    name: str
    type: FieldType
    primary: bool = False
    required: bool = False
    unique: bool = False
    special: tuple[str, ...] = ()
    interface: str = "input"


@dataclass(frozen=True, eq=False)
class Collection:
    """One table; its first field is the primary key ``id``. Each is only equal to itself, so that it is a quick key."""

    name: str
    fields: tuple[Field, ...]

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """Fields by name, in their order."""
        return {field.name: field for field in self.fields}

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all fields."""
        return frozenset(self.by_name)

    def renamed(self, old: str, new: str) -> Collection:
        """The same collection after somebody renamed a field."""
        fields = tuple(Field(**{**vars(field), "name": new}) if field.name == old else field for field in self.fields)
        return Collection(self.name, fields)


TAG_FIELDS = (
    Field("id", FieldType.INTEGER, primary=True),
    Field("ref", FieldType.STRING, required=True, unique=True),
    Field("nombre", FieldType.STRING),
    Field("nombre_en", FieldType.STRING),
    Field("descripcion", FieldType.TEXT, interface="input-multiline"),
    Field("grupo", FieldType.STRING),
    Field("padre", FieldType.STRING),
    Field("nivel", FieldType.INTEGER),
    Field("orden", FieldType.INTEGER),
    Field("activo", FieldType.BOOLEAN, special=("cast-boolean",), interface="boolean"),
    Field("metadatos", FieldType.JSON, special=("cast-json",), interface="input-code"),
    Field("date_created", FieldType.TIMESTAMP, special=("date-created", "cast-timestamp"), interface="datetime"),
    Field("date_updated", FieldType.TIMESTAMP, special=("date-updated", "cast-timestamp"), interface="datetime"),
)

LIBRARIES = ("hst", "spe", "flg")
"""The libraries, in the order in which their collections were made."""

TAG_COLLECTIONS = tuple(Collection(f"tags_{library}", TAG_FIELDS) for library in LIBRARIES)

SYSTEM_COLLECTIONS = frozenset({
    "directus_access", "directus_activity", "directus_collections", "directus_comments", "directus_dashboards",
    "directus_deployments", "directus_extensions", "directus_fields", "directus_files", "directus_flows",
    "directus_folders", "directus_migrations", "directus_notifications", "directus_operations", "directus_panels",
    "directus_permissions", "directus_policies", "directus_presets", "directus_relations", "directus_revisions",
    "directus_roles", "directus_sessions", "directus_settings", "directus_shares", "directus_translations",
    "directus_users", "directus_versions",
})  # fmt: skip
"""Directus' own tables, which ``/items`` never serves."""
