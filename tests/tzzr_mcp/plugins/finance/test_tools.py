"""The two calculators as an MCP client sees them (seed 3)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.tzzr_mcp.plugins.finance.calculators import INVESTMENT, LOAN, calculators, figures, said

LOAN_TOOL, INVESTMENT_TOOL = "calculate_loan_amortization", "analyze_investment_projection"


async def test_the_catalogue_has_the_two_tools_of_the_seed_with_its_parameters() -> None:
    async with calculators() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

    loan, investment = tools[LOAN_TOOL].input_schema, tools[INVESTMENT_TOOL].input_schema
    assert list(tools) == [LOAN_TOOL, INVESTMENT_TOOL]
    assert list(loan["properties"]) == ["principal", "annualInterestRate", "termMonths", "extraMonthlyPayment"]
    assert set(loan["required"]) == {"principal", "annualInterestRate", "termMonths"}
    assert set(investment["properties"]) - set(investment["required"]) == {"annualInflationRate"}
    assert investment["properties"]["annualInflationRate"]["default"] == 4.0
    assert investment["properties"]["riskProfile"]["enum"] == ["conservative", "moderate", "aggressive"]


async def test_a_loan_comes_with_its_figures_schedule_charts_and_source() -> None:
    async with calculators() as client:
        result = await client.call_tool(LOAN_TOOL, LOAN)

    assert figures(result) == {
        **LOAN,
        "extraMonthlyPayment": 0,
        "monthlyPayment": 6645,
        "months": 48,
        "totalPaid": 318_959.97,
        "totalInterest": 68_959.97,
        "finalPayment": 6644.97,
        "monthsSaved": 0,
        "moneySaved": 0,
        "withoutExtra": {"months": 48, "totalPaid": 318_959.97, "totalInterest": 68_959.97, "finalPayment": 6644.97},
    }
    shown = result.structured_content or {}
    assert shown["source"] == {
        "name": "Cálculo de TZZR: amortización francesa",
        "kind": "computation",
        "retrieved_at": "2026-01-04T10:00:00.000Z",
        "simulated": False,
    }
    (table,) = shown["tables"]
    assert [len(table["rows"]), table["rows"][0]] == [48, [1, 6645.0, 0.0, 2604.17, 4040.83, 245959.17]]
    assert [chart["id"] for chart in shown["charts"]] == ["balance", "payments"]
    assert "cuota mensual de 6,645.00" in said(result)
    assert "la última cuota liquida el resto" in said(result)


async def test_no_cent_is_lost_between_the_schedule_on_the_wire_and_its_totals() -> None:
    hard = {"principal": 999_999_999_999.99, "annualInterestRate": 7.77, "termMonths": 600}
    async with calculators() as client:
        result = await client.call_tool(LOAN_TOOL, {**hard, "extraMonthlyPayment": 12_345.67})

    found = figures(result)
    (table,) = (result.structured_content or {})["tables"]
    columns = [column["key"] for column in table["columns"]]
    totals = {name: sum(Decimal(str(row[columns.index(name)])) for row in table["rows"]) for name in columns}
    assert totals["principal"] == Decimal("999999999999.99")
    assert totals["interest"] == Decimal(str(found["totalInterest"]))
    assert totals["payment"] + totals["extra"] == Decimal(str(found["totalPaid"]))


async def test_an_extra_payment_shows_what_it_saves_against_the_loan_without_it() -> None:
    async with calculators() as client:
        result = await client.call_tool(LOAN_TOOL, {**LOAN, "extraMonthlyPayment": 1000})

    found = figures(result)
    without = found["withoutExtra"]
    assert found["monthsSaved"] == without["months"] - found["months"] > 0
    assert Decimal(str(found["moneySaved"])) == Decimal(str(without["totalInterest"])) - Decimal(
        str(found["totalInterest"])
    )
    (table,) = (result.structured_content or {})["tables"]
    assert table["columns"][-1]["key"] == "balance_without_extra"
    assert [len(table["rows"]), table["rows"][-1][1:6]] == [48, [0, 0, 0, 0, 0]]
    assert f"{found['monthsSaved']} meses antes" in said(result)


async def test_an_investment_comes_with_its_three_scenarios() -> None:
    async with calculators() as client:
        result = await client.call_tool(INVESTMENT_TOOL, INVESTMENT)

    found = figures(result)
    scenarios = found["scenarios"]
    assert {name: each["annualReturnRate"] for name, each in scenarios.items()} == {
        "pessimistic": 7,
        "expected": 11,
        "optimistic": 15,
    }
    assert scenarios["expected"] == {
        "annualReturnRate": 11,
        "finalNominal": 77_479.9,
        "netNominalGain": 27_479.9,
        "finalReal": 66_230.15,
        "realAnnualRate": 7.2807,
    }
    assert found["finalNominal"] == 77_479.9
    scenario_table, growth = (result.structured_content or {})["tables"]
    assert [row[0] for row in scenario_table["rows"]] == ["Pesimista", "Esperado", "Optimista"]
    assert [row[0] for row in growth["rows"]] == [0, 1, 2, 3, 4]
    assert growth["rows"][-1][1:] == [50_000, 66_102.69, 77_479.9, 90_767.74, 66_230.15]


@pytest.mark.parametrize(("profile", "spread"), [("conservative", 2), ("moderate", 4), ("aggressive", 7)])
async def test_the_profile_says_how_far_the_scenarios_lie_apart(profile: str, spread: int) -> None:
    async with calculators() as client:
        found = figures(await client.call_tool(INVESTMENT_TOOL, {**INVESTMENT, "riskProfile": profile}))

    assert found["scenarios"]["pessimistic"]["annualReturnRate"] == 11 - spread
    assert found["scenarios"]["optimistic"]["annualReturnRate"] == 11 + spread


async def test_inflation_is_four_per_cent_unless_told() -> None:
    untold = {name: value for name, value in INVESTMENT.items() if name != "annualInflationRate"}
    async with calculators() as client:
        told = figures(await client.call_tool(INVESTMENT_TOOL, INVESTMENT))

        assert figures(await client.call_tool(INVESTMENT_TOOL, untold)) == told


async def test_a_loss_is_a_negative_gain() -> None:
    async with calculators() as client:
        found = figures(await client.call_tool(INVESTMENT_TOOL, {**INVESTMENT, "annualReturnRate": -100}))

    assert -50_000 < found["netNominalGain"] < 0
    assert found["scenarios"]["pessimistic"]["finalNominal"] > 0


@pytest.mark.parametrize(
    ("tool", "changes", "expected"),
    [
        (LOAN_TOOL, {"principal": "250000"}, '«principal» vale "250000", pero se espera un número'),
        (LOAN_TOOL, {"principal": True}, "«principal» vale true, pero se espera un número"),
        (LOAN_TOOL, {"principal": 0}, "«principal» vale 0, pero se espera"),
        (LOAN_TOOL, {"principal": 0.004}, "no llega a un céntimo"),
        (
            LOAN_TOOL,
            {"principal": 10**12 + 1},
            "«principal» vale 1000000000001, pero se espera 1000000000000 como máximo",
        ),
        (LOAN_TOOL, {"annualInterestRate": 0}, "«annualInterestRate»"),
        (
            LOAN_TOOL,
            {"annualInterestRate": 1000.5},
            "«annualInterestRate» vale 1000.5, pero se espera 1000 como máximo",
        ),
        (LOAN_TOOL, {"termMonths": 12.5}, "«termMonths» vale 12.5, pero se espera un número entero"),
        (LOAN_TOOL, {"termMonths": 0}, "«termMonths»"),
        (LOAN_TOOL, {"termMonths": 1201}, "entre 1 y 1200"),
        (LOAN_TOOL, {"extraMonthlyPayment": -1}, "«extraMonthlyPayment»"),
        (LOAN_TOOL, {"extraMonthlyPayment": None}, "«extraMonthlyPayment»"),
        (LOAN_TOOL, {"extraMonthly": 1}, "¿quiso decir «extraMonthlyPayment»?"),
        (
            LOAN_TOOL,
            {"principal": 10**12, "annualInterestRate": 1000, "termMonths": 1200},
            "ya no se puede dar al céntimo",
        ),
        (INVESTMENT_TOOL, {"initialCapital": -0.01}, "«initialCapital»"),
        (INVESTMENT_TOOL, {"annualReturnRate": -101}, "entre -100 y 1000"),
        (INVESTMENT_TOOL, {"annualInflationRate": -100}, "entre -99 y 1000"),
        (INVESTMENT_TOOL, {"timeHorizonYears": 101}, "entre 1 y 100"),
        (INVESTMENT_TOOL, {"timeHorizonYears": 1.5}, "un número entero"),
        (INVESTMENT_TOOL, {"riskProfile": "moderado"}, '"moderate"'),
        (INVESTMENT_TOOL, {"annualReturnRate": 1000, "timeHorizonYears": 100}, "ya no se puede dar al céntimo"),
    ],
)
async def test_what_cannot_be_calculated_is_refused_with_its_name_and_range(
    tool: str, changes: dict[str, Any], expected: str
) -> None:
    arguments = {**(LOAN if tool == LOAN_TOOL else INVESTMENT), **changes}
    async with calculators() as client:
        result = await client.call_tool(tool, arguments)

    assert result.is_error
    assert expected in said(result)
    assert (result.meta or {})["tzzr/error"]["code"] == "ARGUMENT_INVALID"


async def test_a_whole_term_may_be_written_with_a_zero_fraction() -> None:
    async with calculators() as client:
        found = figures(await client.call_tool(LOAN_TOOL, {**LOAN, "termMonths": 48.0}))

    assert found["termMonths"] == 48


async def test_a_fraction_of_a_cent_is_rounded_and_the_user_is_told() -> None:
    async with calculators() as client:
        result = await client.call_tool(LOAN_TOOL, {**LOAN, "principal": 100.005})

    assert figures(result)["principal"] == 100.01
    notice = (result.structured_content or {})["notice"]
    assert notice["text"] == "Importes redondeados al céntimo: «principal» vale 100.005 y se calcula con 100.01."
