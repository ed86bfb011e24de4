"""``calculate_loan_amortization``: the schedule with and without the extra payment, and what it saves."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from tzzr_mcp.output import Chart, Column, Source, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.finance.loan import Loan, Schedule, amortize
from tzzr_mcp.plugins.finance.money import Given, beyond, number, rounding, spoken, spoken_rate
from tzzr_mcp.plugins.finance.schemas import LOAN_SOURCE

_ARGUMENTS = ("principal", "annualInterestRate", "termMonths")
_CONVENTIONS = (
    "La tasa mensual es la anual entre 12; la cuota y los intereses de cada mes se redondean al céntimo, "
    "la última cuota liquida el resto y el pago adicional acorta el plazo."
)


async def run(call: Call[Any]) -> ToolOutput:
    """The tool.

    Raises:
        ArgumentInvalid: an amount is less than a cent, or the sums are too large to be given to the cent.
    """
    given = Given(call.arguments)
    extra = given.amount("extraMonthlyPayment", "0")
    loan = Loan(given.amount("principal"), given.rate("annualInterestRate"), call.arguments["termMonths"])
    regular = _amortized(loan)
    chosen = _amortized(loan, extra) if extra else regular
    return ToolOutput(
        text=" ".join([_regular(loan, regular), *_saving(extra, regular, chosen), _CONVENTIONS]),
        data=_result(loan, extra, regular, chosen),
        source=Source(LOAN_SOURCE.name, LOAN_SOURCE.kind, call.seams.clock.now()),
        tables=[_table(regular, chosen, with_extra=bool(extra))],
        charts=_charts(with_extra=bool(extra)),
        notice=rounding(given),
    )


def _amortized(loan: Loan, extra: Decimal = Decimal()) -> Schedule:
    try:
        return amortize(loan, extra)
    except InvalidOperation:  # an instalment rounded below the interest lets the debt grow beyond every digit
        raise beyond(*_ARGUMENTS) from None


def _money(amount: Decimal) -> float:
    return number(amount, *_ARGUMENTS)


def _result(loan: Loan, extra: Decimal, regular: Schedule, chosen: Schedule) -> dict[str, Any]:
    return {
        "principal": _money(loan.principal),
        "annualInterestRate": float(loan.annual_rate),
        "termMonths": loan.months,
        "extraMonthlyPayment": _money(extra),
        "monthlyPayment": _money(loan.instalment),
        **_plan(chosen),
        "monthsSaved": regular.months - chosen.months,
        "moneySaved": _money(regular.interest - chosen.interest),
        "withoutExtra": _plan(regular),
    }


def _plan(schedule: Schedule) -> dict[str, Any]:
    last = schedule.rows[-1]
    return {
        "months": schedule.months,
        "totalPaid": _money(schedule.total_paid),
        "totalInterest": _money(schedule.interest),
        "finalPayment": _money(last.paid + last.extra),
    }


def _regular(loan: Loan, schedule: Schedule) -> str:
    return (
        f"Un préstamo de {spoken(loan.principal)} al {spoken_rate(loan.annual_rate)} % anual a {_months(loan.months)} "
        f"tiene una cuota mensual de {spoken(loan.instalment)}. En {_months(schedule.months)} se pagan "
        f"{spoken(schedule.total_paid)}, de los que {spoken(schedule.interest)} son intereses."
    )


def _saving(extra: Decimal, regular: Schedule, chosen: Schedule) -> list[str]:
    if not extra:
        return []
    saved, money = regular.months - chosen.months, regular.interest - chosen.interest
    sentence = (
        f"Con {spoken(extra)} más cada mes se termina en {_months(chosen.months)}, {_months(saved)} antes: se pagan "
        f"{spoken(chosen.total_paid)}, de los que {spoken(chosen.interest)} son intereses, y se ahorran {spoken(money)}."
    )
    return [sentence]


def _months(count: int) -> str:
    return "1 mes" if count == 1 else f"{count} meses"


def _table(regular: Schedule, chosen: Schedule, *, with_extra: bool) -> Table:
    columns = [
        Column("month", "Mes", "integer"),
        Column("payment", "Cuota", "number"),
        Column("extra", "Pago adicional", "number"),
        Column("interest", "Intereses", "number"),
        Column("principal", "Capital amortizado", "number"),
        Column("balance", "Saldo", "number"),
        Column("balance_without_extra", "Saldo sin pago adicional", "number"),
    ]
    rows = []
    for index, base in enumerate(regular.rows):
        row = chosen.rows[index] if index < chosen.months else None
        amounts = (row.paid, row.extra, row.interest, row.principal, row.balance) if row else (Decimal(),) * 5
        rows.append([base.number, *(_money(amount) for amount in amounts), _money(base.balance)])
    if not with_extra:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table("schedule", "Cuadro de amortización", columns, rows)


def _charts(*, with_extra: bool) -> list[Chart]:
    balances = ("balance", "balance_without_extra") if with_extra else ("balance",)
    return [
        Chart("balance", "Saldo pendiente", "schedule", "line", "month", balances),
        Chart(
            "payments", "Intereses y capital de cada pago", "schedule", "area", "month", ("interest", "principal"), True
        ),
    ]
