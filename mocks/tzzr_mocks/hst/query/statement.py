"""Last stage: whole statements. One for rows, one for figures, one for counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tzzr_mocks.hst.dialects import FIGURES, Dialect
from tzzr_mocks.hst.errors import Unexpected
from tzzr_mocks.hst.query.functions import parse_ref, result_type
from tzzr_mocks.hst.query.model import FieldRef, Filter, Query, Sort
from tzzr_mocks.hst.query.names import sort_ref
from tzzr_mocks.hst.query.outputs import Output
from tzzr_mocks.hst.query.sql import Compiler, Sql, always, column, join


def _from(compiler: Compiler, where: Filter) -> Sql:
    source = f'FROM "{compiler.collection.name}"'
    if always(where):
        return Sql(source)
    condition = compiler.where(where)
    return Sql(f"{source} WHERE {condition.text}", condition.values)


def select_count(compiler: Compiler, where: Filter) -> Sql:
    """How many rows there are."""
    return Sql("SELECT COUNT(*)") + _from(compiler, where)


def shown(columns: Iterable[Output], dialect: Dialect) -> Sql:
    """The columns of a page of rows; the primary key is always the first one."""
    return join([Sql('"id"'), *(column(output.ref, dialect) for output in columns)], ", ")


def select_rows(compiler: Compiler, query: Query, where: Filter, columns: Sql) -> Sql:
    """One page of rows, with the columns that `shown` makes."""
    keys = [_sort(compiler, sort, query) for sort in query.sort]
    order = join([*keys, Sql('"id" ASC')], ", ")
    return join([Sql("SELECT"), columns, _from(compiler, where), Sql("ORDER BY"), order, _page(query)], " ")


def _page(query: Query) -> Sql:
    return Sql("LIMIT ? OFFSET ?", (query.limit, query.offset))


def _sort(compiler: Compiler, sort: Sort, query: Query) -> Sql:
    ref = sort_ref(sort.name, query)
    expression = column(ref, compiler.dialect)
    kind = result_type(ref, compiler.collection)
    text = compiler.dialect.sort_key(expression.text, kind, descending=sort.descending)
    return Sql(text, expression.values)


def figures(query: Query) -> list[tuple[str, str]]:
    """Function and field of every figure that Directus knows, in the order asked."""
    asked = (query.aggregate or {}).items()
    if any("*" in names and function in FIGURES and function != "count" for function, names in asked):
        raise Unexpected("no such column: *")
    return [(function, name) for function, names in asked if function in FIGURES for name in _told(names)]


def _told(names: Sequence[str]) -> Sequence[str]:
    """Beside fields, ``*`` is not told."""
    fields = [name for name in names if name != "*"]
    return fields or names


def select_figures(compiler: Compiler, query: Query, where: Filter) -> Sql:
    """Groups and their figures; ``g0…`` are the groups, ``f0…`` the figures.

    Raises:
        Refusal: 500, a figure of ``*`` that only ``count`` has.
    """
    groups = [parse_ref(name) for name in query.group or ()]
    if any("." in ref.name for ref in groups):
        raise Unexpected("no such column")
    for ref in groups:
        compiler.dialect.check_figure("group", result_type(ref, compiler.collection))
    columns = [column(ref, compiler.dialect) for ref in groups]
    columns += [_figure(compiler, function, name) for function, name in figures(query)]
    counted = "countAll" in (query.aggregate or {})
    told = join(columns, ", ") if columns else Sql("COUNT(*)" if counted else "NULL")
    whole = Sql("SELECT") + told + _from(compiler, where)
    if groups:
        whole = whole + Sql("GROUP BY") + join([column(ref, compiler.dialect) for ref in groups], ", ")
    return whole + _figure_order(compiler, query, groups) + _page(query)


def _figure(compiler: Compiler, function: str, name: str) -> Sql:
    if name == "*":
        if function != "count":
            raise Unexpected
        return Sql("COUNT(*)")
    if "(" in name:
        raise Unexpected(f"no such column: {name}")
    name = name.strip()
    kind = compiler.collection.by_name[name].type
    compiler.dialect.check_figure(function, kind)
    return Sql(compiler.dialect.figure_sql(function, kind).format(f'"{name}"'))


def _figure_order(compiler: Compiler, query: Query, groups: Sequence[FieldRef]) -> Sql:
    if not groups:
        return Sql("")
    asked = [_figure_sort(compiler, sort, query) for sort in query.sort]
    return Sql("ORDER BY") + join(asked or [_sort(compiler, Sort(name), query) for name in query.group or ()], ", ")


def _figure_sort(compiler: Compiler, sort: Sort, query: Query) -> Sql:
    function, _, name = sort.name.partition(".")
    if function not in (query.aggregate or {}):
        return _sort(compiler, sort, query)
    if (name or "*") not in (query.aggregate or {})[function]:
        raise Unexpected(f"no such column: {sort.name}")
    expression = _figure(compiler, function, name or "*")
    return Sql(f"{expression.text} {'DESC' if sort.descending else 'ASC'}", expression.values)
