"""The tools' schemas: exactly the seed's parameters (seed 3), and the ranges within which they are calculated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tzzr_mcp.plugins.api import DeclaredSource
from tzzr_mcp.plugins.finance.investment import SPREADS

LOAN_SOURCE: Final = DeclaredSource("Cálculo de TZZR: amortización francesa", "computation")
INVESTMENT_SOURCE: Final = DeclaredSource("Cálculo de TZZR: interés compuesto", "computation")

Schema = Mapping[str, Any]

LARGEST_AMOUNT: Final = 10**12
LARGEST_RATE: Final = 1000
LONGEST_TERM_MONTHS: Final = 1200
LONGEST_HORIZON_YEARS: Final = 100
DEFAULT_INFLATION: Final = 4.0


def _object(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> dict[str, Any]:
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _number(description: str, **limits: Any) -> Schema:
    return {"type": "number", "description": description, **limits}


def _whole(description: str, **limits: Any) -> Schema:
    return {"type": "integer", "description": description, **limits}


LOAN_INPUT: Final = _object(
    {
        "principal": _number("Monto total financiado.", exclusiveMinimum=0, maximum=LARGEST_AMOUNT),
        "annualInterestRate": _number(
            "Tasa de interés anual nominal, en % (12.5 es 12.5 %).", exclusiveMinimum=0, maximum=LARGEST_RATE
        ),
        "termMonths": _whole("Plazo en meses enteros.", minimum=1, maximum=LONGEST_TERM_MONTHS),
    },
    {
        "extraMonthlyPayment": _number(
            "Pago adicional a capital cada mes; acorta el plazo. Si falta, ninguno.", minimum=0, maximum=LARGEST_AMOUNT
        ),
    },
)

INVESTMENT_INPUT: Final = _object(
    {
        "initialCapital": _number("Capital inicial.", minimum=0, maximum=LARGEST_AMOUNT),
        "monthlyContribution": _number("Aportación al final de cada mes.", minimum=0, maximum=LARGEST_AMOUNT),
        "annualReturnRate": _number(
            "Rendimiento nominal anual estimado, en %; puede ser negativo.", minimum=-100, maximum=LARGEST_RATE
        ),
        "timeHorizonYears": _whole("Horizonte en años enteros.", minimum=1, maximum=LONGEST_HORIZON_YEARS),
        "riskProfile": {
            "type": "string",
            "enum": list(SPREADS),
            "description": "Volatilidad: los escenarios se apartan 2, 4 o 7 puntos del rendimiento estimado.",
        },
    },
    {
        "annualInflationRate": _number(
            "Inflación anual estimada, en %. Si falta, 4.0.",
            minimum=-99,
            maximum=LARGEST_RATE,
            default=DEFAULT_INFLATION,
        ),
    },
)

_PLAN: Final = _object(
    {
        "months": _whole("Meses hasta no deber nada."),
        "totalPaid": _number("Desembolso total."),
        "totalInterest": _number("Intereses pagados."),
        "finalPayment": _number("Último pago, que liquida el resto."),
    }
)

LOAN_RESULT: Final = _object(
    {
        "principal": _number("Monto financiado con el que se calculó, al céntimo."),
        "annualInterestRate": _number("Tasa anual nominal, en %."),
        "termMonths": _whole("Plazo pedido, en meses."),
        "extraMonthlyPayment": _number("Pago adicional mensual con el que se calculó."),
        "monthlyPayment": _number("Cuota mensual regular."),
        "totalPaid": _number("Desembolso total, con el pago adicional si lo hay."),
        "totalInterest": _number("Intereses pagados, con el pago adicional si lo hay."),
        "months": _whole("Meses hasta no deber nada, con el pago adicional si lo hay."),
        "monthsSaved": _whole("Meses que ahorra el pago adicional."),
        "moneySaved": _number("Intereses que ahorra el pago adicional."),
        "finalPayment": _number("Último pago, que liquida el resto."),
        "withoutExtra": _PLAN,
    }
)

_SCENARIO: Final = _object(
    {
        "annualReturnRate": _number("Rendimiento nominal anual, en %."),
        "finalNominal": _number("Capital nominal final."),
        "netNominalGain": _number("Ganancia neta nominal."),
        "finalReal": _number("Poder de compra del capital final, en dinero de hoy."),
        "realAnnualRate": _number("Tasa real anual (Fisher), en %."),
    }
)

INVESTMENT_RESULT: Final = _object(
    {
        "initialCapital": _number("Capital inicial con el que se calculó, al céntimo."),
        "monthlyContribution": _number("Aportación mensual con la que se calculó."),
        "timeHorizonYears": _whole("Horizonte en años."),
        "annualInflationRate": _number("Inflación anual, en %."),
        "riskProfile": {"enum": list(SPREADS)},
        "totalContributed": _number("Capital inicial más aportaciones."),
        "finalNominal": _number("Capital nominal final esperado."),
        "netNominalGain": _number("Ganancia neta nominal esperada."),
        "finalReal": _number("Poder de compra real esperado, en dinero de hoy."),
        "effectiveAnnualRate": _number("Rendimiento efectivo anual esperado, en %."),
        "realAnnualRate": _number("Tasa real anual esperada (Fisher), en %."),
        "scenarios": _object({"pessimistic": _SCENARIO, "expected": _SCENARIO, "optimistic": _SCENARIO}),
    }
)
