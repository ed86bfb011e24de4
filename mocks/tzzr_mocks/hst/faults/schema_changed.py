"""A field that somebody renamed."""

from __future__ import annotations

from dataclasses import dataclass

from tzzr_mocks.hst.faults.base import Reading, RowsFault


@dataclass(frozen=True)
class SchemaChanged(RowsFault):
    """The field ``old`` of the collection is called ``new`` from now on; the fake's reset brings the old name back.

    A client that names its fields gets 403 for the old one, one that asks for ``*`` gets rows of another shape.

    Seen when an administrator tidies up the data model.

    YAML: ``- hst: 3rd read finds the schema changed old=nombre new=name``
    """

    kind = "schema_changed"
    phrases = ("finds the schema changed",)
    old: str = "nombre"
    new: str = "name"

    def __post_init__(self) -> None:
        if not self.new.isidentifier() or self.old == self.new or "id" in (self.old, self.new):
            raise ValueError(
                f"{self.old!r} cannot become {self.new!r}; give two different names of fields other than id"
            )

    async def before(self, reading: Reading) -> None:
        """Rename, once."""
        fields = reading.store.collections[reading.collection].by_name
        if self.old in fields and self.new not in fields:
            reading.store.rename_field(reading.collection, self.old, self.new)
