"""Who issues the invoice and who receives it: names and tax numbers, by labels first and by order where there are none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .found import Found
from .identifiers import TaxId
from .names import has_legal_form, name_in
from .page import Cell, Line, Page
from .roles import Role, RoleLabel, role_labels, role_of_tax_label

__all__ = ["Party", "parties_of"]

_BLOCK_LINES = 7
_SIDE_BY_SIDE = 12


@dataclass(frozen=True, slots=True)
class Party:
    """A side of the invoice; what was not found is None."""

    name: Found | None = None
    tax_id: TaxId | None = None


def parties_of(page: Page, ids: Sequence[TaxId]) -> tuple[Party, Party]:
    """Issuer and recipient."""
    labels = role_labels(page)
    issuer = _labelled(page, ids, labels, Role.ISSUER)
    recipient = _labelled(page, ids, labels, Role.RECIPIENT)
    for tax_id in ids:
        role = role_of_tax_label(page.folded[max(0, tax_id.start - 40) : tax_id.start].rpartition("\n")[2])
        if role is Role.ISSUER:
            issuer = replace(issuer, tax_id=tax_id)
        elif role is Role.RECIPIENT:
            recipient = replace(recipient, tax_id=tax_id)
    if issuer.tax_id is recipient.tax_id and issuer.tax_id is not None:
        issuer = replace(issuer, tax_id=None)
    issuer = _by_order(page, ids, issuer, recipient)
    recipient = _by_order(page, [tax_id for tax_id in ids if _follows(tax_id, issuer)], recipient, issuer)
    return _named_from_the_top(page, issuer, recipient), recipient


def _follows(tax_id: TaxId, issuer: Party) -> bool:
    return issuer.tax_id is None or tax_id.start > issuer.tax_id.start


def _labelled(page: Page, ids: Sequence[TaxId], labels: Sequence[RoleLabel], role: Role) -> Party:
    """What the blocks under a role's labels tell; the first block with a name wins."""
    party = Party()
    for label in labels:
        if label.role is role:
            block = list(_block(page, label, labels))
            name = next((span for start, end in block if (span := name_in(page, start, end))), None)
            mine = next((tax_id for tax_id in ids if any(start <= tax_id.start < end for start, end in block)), None)
            if party.name is None and name is not None:
                party = replace(party, name=Found(page.text[slice(*name)], name, 0.93))
            if party.tax_id is None:
                party = replace(party, tax_id=mine)
    return party


def _block(page: Page, label: RoleLabel, labels: Sequence[RoleLabel]) -> Iterator[tuple[int, int]]:
    """The spans that a label heads: the rest of its cell and line, then the cells below it up to a gap or another label."""
    if label.end < label.cell.end:
        yield label.end, label.cell.end
    line = page.lines[label.cell.line]
    others = {other.cell for other in labels}
    side_by_side = any(other.cell.line == label.cell.line and other.cell != label.cell for other in labels)
    if not side_by_side:
        yield from ((cell.start, cell.end) for cell in line.cells if cell.start > label.cell.start)
    below = page.lines[line.number + 1 : line.number + 1 + _BLOCK_LINES]
    for place, row in enumerate(below):
        if row.after_blank and (place or label.end < label.cell.end):
            return
        cells = [cell for cell in row.cells if _is_under(cell, label.cell, row.cells, line.cells, side_by_side)]
        if any(cell in others for cell in cells):
            return
        yield from ((cell.start, cell.end) for cell in cells)


def _is_under(cell: Cell, head: Cell, row: Sequence[Cell], heads: Sequence[Cell], side_by_side: bool) -> bool:
    """Whether a cell belongs to the column of ``head``; without columns every cell of the row does."""
    if not side_by_side:
        return cell.column >= head.column - _SIDE_BY_SIDE
    if len(row) == len(heads):
        return row.index(cell) == heads.index(head)
    nearest = min(heads, key=lambda other: abs(other.column - cell.column))
    return nearest is head


def _by_order(page: Page, ids: Sequence[TaxId], party: Party, other: Party) -> Party:
    """The first tax number that nobody claims, with the name beside or above it."""
    if party.tax_id is None:
        free = next((tax_id for tax_id in ids if other.tax_id is None or tax_id.start != other.tax_id.start), None)
        party = replace(party, tax_id=free)
    if party.name is None and party.tax_id is not None:
        taken = other.name.span if other.name else None
        span = _name_near(page, party.tax_id, taken)
        if span:
            party = replace(party, name=Found(page.text[slice(*span)], span, 0.75))
    return party


def _name_near(page: Page, tax_id: TaxId, taken: tuple[int, int] | None) -> tuple[int, int] | None:
    """The name in the number's own cell or line, else above it in its column, the nearest with a legal form preferred.

    What stands behind the number and ends like no company may be a town: a company's name above goes before it.
    """
    line = next(line for line in page.lines if line.start <= tax_id.start < line.end)
    own = next(cell for cell in reversed(line.cells) if cell.start <= tax_id.start)
    spans = [name_in(page, own.start, tax_id.start)]
    spans += [name_in(page, cell.start, cell.end) for cell in line.cells if cell is not own]
    beside = [span for span in spans if span and span != taken]
    sure = [span for span in beside if span[0] < tax_id.start or has_legal_form(page.folded[slice(*span)])]
    if sure:
        return sure[0]
    above: list[tuple[int, int]] = []
    for row in _block_above(page, line):
        cell = min(row.cells, key=lambda cell: abs(cell.column - own.column))
        span = name_in(page, cell.start, cell.end)
        if span and span != taken:
            above.append(span)
    formal = [span for span in above if has_legal_form(page.folded[slice(*span)])]
    return next(iter(formal or beside or above[-1:]), None)


def _block_above(page: Page, line: Line) -> Iterator[Line]:
    """The lines above, up to four, as far as no blank line parts them; past that blank where nothing stands before it."""
    for row in reversed(page.lines[max(0, line.number - 4) : line.number]):
        yield row
        if row.after_blank and not line.after_blank:
            return


def _named_from_the_top(page: Page, issuer: Party, recipient: Party) -> Party:
    """An issuer without a name is the first line of the page that reads like one; without a number, like a company's."""
    if issuer.name is not None:
        return issuer
    taken = recipient.name.span if recipient.name else None
    for line in page.lines[:4]:
        for cell in line.cells:
            span = name_in(page, cell.start, cell.end)
            believable = issuer.tax_id is not None or (span and has_legal_form(page.folded[slice(*span)]))
            if span and span != taken and believable:
                return replace(issuer, name=Found(page.text[slice(*span)], span, 0.6))
    return issuer
