"""``analyze_investment_projection``: three scenarios, nominal and in today's money."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tzzr_mcp.output import Cell, Chart, Column, Source, Table, ToolOutput
from tzzr_mcp.plugins.api import Call
from tzzr_mcp.plugins.finance.investment import SPREADS, Investment, Projection, project
from tzzr_mcp.plugins.finance.money import Given, number, percent, rounding, spoken, spoken_rate
from tzzr_mcp.plugins.finance.schemas import DEFAULT_INFLATION, INVESTMENT_SOURCE

NAMES = {"pessimistic": "Pesimista", "expected": "Esperado", "optimistic": "Optimista"}
_PROFILES = {"conservative": "conservador", "moderate": "moderado", "aggressive": "agresivo"}
_ARGUMENTS = ("initialCapital", "monthlyContribution", "annualReturnRate", "timeHorizonYears", "annualInflationRate")
_CONVENTIONS = (
    "El capital compone cada mes a la tasa anual entre 12, con las aportaciones al final del mes; lo real se deflacta "
    "con (1 + inflación)^años y la tasa real es la de Fisher sobre la efectiva. Es una estimación, no una garantía."
)

Scenarios = dict[str, Projection]


async def run(call: Call[Any]) -> ToolOutput:
    """The tool.

    Raises:
        ArgumentInvalid: an amount is less than a cent, or a result is too large to be given to the cent.
    """
    given, profile = Given(call.arguments), call.arguments["riskProfile"]
    investment = Investment(
        given.amount("initialCapital"), given.amount("monthlyContribution"), call.arguments["timeHorizonYears"]
    )
    inflation = given.rate("annualInflationRate", str(DEFAULT_INFLATION))
    scenarios = _scenarios(investment, given.rate("annualReturnRate"), inflation, SPREADS[profile])
    return ToolOutput(
        text=f"{_expected(scenarios['expected'])} {_range(scenarios, profile)} {_CONVENTIONS}",
        data=_result(scenarios, profile),
        source=Source(INVESTMENT_SOURCE.name, INVESTMENT_SOURCE.kind, call.seams.clock.now()),
        tables=[_scenario_table(scenarios), _growth_table(scenarios)],
        charts=_charts(),
        notice=rounding(given),
    )


def _scenarios(investment: Investment, rate: Decimal, inflation: Decimal, spread: Decimal) -> Scenarios:
    rates = {"pessimistic": rate - spread, "expected": rate, "optimistic": rate + spread}
    return {name: project(investment, each, inflation) for name, each in rates.items()}


def _money(amount: Decimal) -> float:
    return number(amount, *_ARGUMENTS)


def _result(scenarios: Scenarios, profile: str) -> dict[str, Any]:
    expected = scenarios["expected"]
    investment = expected.investment
    summary = _scenario(expected)
    del summary["annualReturnRate"]
    return {
        "initialCapital": _money(investment.initial),
        "monthlyContribution": _money(investment.contribution),
        "timeHorizonYears": investment.years,
        "annualInflationRate": float(expected.inflation),
        "riskProfile": profile,
        "totalContributed": _money(investment.contributed(investment.years)),
        **summary,
        "effectiveAnnualRate": percent(expected.effective_rate),
        "scenarios": {name: _scenario(each) for name, each in scenarios.items()},
    }


def _scenario(projection: Projection) -> dict[str, float]:
    return {
        "annualReturnRate": float(projection.annual_rate),
        "finalNominal": _money(projection.final),
        "netNominalGain": _money(projection.gain),
        "finalReal": _money(projection.real(projection.investment.years)),
        "realAnnualRate": percent(projection.real_rate),
    }


def _expected(projection: Projection) -> str:
    investment, years = projection.investment, projection.investment.years
    return (
        f"Con {spoken(investment.initial)} de capital inicial y {spoken(investment.contribution)} al mes, al "
        f"{spoken_rate(projection.annual_rate)} % nominal anual durante {years} {'año' if years == 1 else 'años'}, "
        f"se esperan {spoken(projection.final)}: una ganancia nominal de {spoken(projection.gain)} sobre "
        f"{spoken(investment.contributed(years))} aportados. Con una inflación del {spoken_rate(projection.inflation)} % "
        f"compran lo que hoy {spoken(projection.real(years))}; la tasa real es del {percent(projection.real_rate):.2f} % "
        "anual."
    )


def _range(scenarios: Scenarios, profile: str) -> str:
    low, high = scenarios["pessimistic"], scenarios["optimistic"]
    return (
        f"Con perfil {_PROFILES[profile]}, el escenario pesimista ({spoken_rate(low.annual_rate)} %) da {spoken(low.final)} "
        f"y el optimista ({spoken_rate(high.annual_rate)} %), {spoken(high.final)}."
    )


def _scenario_table(scenarios: Scenarios) -> Table:
    columns = [
        Column("scenario", "Escenario"),
        Column("rate", "Rendimiento nominal", "number", "%"),
        Column("nominal", "Capital nominal final", "number"),
        Column("gain", "Ganancia neta nominal", "number"),
        Column("real", "Poder de compra real", "number"),
        Column("real_rate", "Tasa real anual", "number", "%"),
    ]
    rows: list[list[Cell]] = [[NAMES[name], *_scenario(each).values()] for name, each in scenarios.items()]
    return Table("scenarios", "Escenarios", columns, rows)


def _growth_table(scenarios: Scenarios) -> Table:
    columns = [
        Column("year", "Año", "integer"),
        Column("contributed", "Aportado", "number"),
        *(Column(name, title, "number") for name, title in NAMES.items()),
        Column("real", "Esperado, en dinero de hoy", "number"),
    ]
    expected = scenarios["expected"]
    rows = [
        [
            year,
            _money(expected.investment.contributed(year)),
            *(_money(scenarios[name].balances[year]) for name in NAMES),
            _money(expected.real(year)),
        ]
        for year in range(expected.investment.years + 1)
    ]
    return Table("growth", "Evolución del capital", columns, rows)


def _charts() -> list[Chart]:
    return [
        Chart("scenarios", "Capital final por escenario", "scenarios", "bar", "scenario", ("nominal", "real")),
        Chart("growth", "Evolución del capital", "growth", "line", "year", ("contributed", *NAMES, "real")),
    ]
