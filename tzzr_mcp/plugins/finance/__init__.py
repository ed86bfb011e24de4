"""Finance: the two calculators of the distributed proof of concept (seed 3). No upstream, no file, no secret.

Not enabled by default; ``TZZR_PLUGINS=finance`` alone needs no key.
"""

from __future__ import annotations

from tzzr_mcp.plugins.api import Plugin, Tool
from tzzr_mcp.plugins.finance.schemas import (
    INVESTMENT_INPUT,
    INVESTMENT_RESULT,
    INVESTMENT_SOURCE,
    LOAN_INPUT,
    LOAN_RESULT,
    LOAN_SOURCE,
)

_CAR_LOAN = (
    "Tengo $50,000 libres en el banco y un crédito automotriz de $250,000 con tasa del 12.5% a 48 meses. ¿Me conviene "
    "aportar esos $50,000 a capital para reducir mi deuda o invertirlos a 4 años con un rendimiento estimado del 11% "
    "anual moderado e inflación del 4%?"
)
"""The question of seed 3, which both calculators answer."""

_LOAN = Tool(
    name="calculate_loan_amortization",
    title="Amortización de un préstamo",
    description=(
        "Evalúa una deuda y el efecto de pagar más a capital cada mes (sistema francés). Devuelve la cuota mensual, el "
        "desembolso total, los intereses, y los meses y el dinero que ahorra el pago adicional, con el cuadro de "
        "amortización. Convenciones: la tasa mensual es la anual entre 12 (nominal); la cuota y los intereses de cada mes "
        "se redondean al céntimo y la última cuota liquida el resto; el pago adicional acorta el plazo. Para un pago único "
        "a capital, reste ese pago de «principal» y compare."
    ),
    input_schema=LOAN_INPUT,
    data_schema=LOAN_RESULT,
    source=LOAN_SOURCE,
    run="tzzr_mcp.plugins.finance.loan_tool:run",
    questions=(_CAR_LOAN,),
    open_world=False,
)

_INVESTMENT = Tool(
    name="analyze_investment_projection",
    title="Proyección de una inversión",
    description=(
        "Proyecta un patrimonio a interés compuesto: capital nominal final, ganancia neta, poder de compra real, "
        "escenarios pesimista, esperado y optimista según el perfil de riesgo, y tasa real anual. Convenciones: compone "
        "cada mes a la tasa anual entre 12 (nominal), con las aportaciones al final de cada mes; deflacta con "
        "(1 + inflación)^años; la tasa real es la de Fisher sobre la tasa efectiva; los escenarios se apartan 2, 4 o 7 "
        "puntos con perfil conservador, moderado o agresivo."
    ),
    input_schema=INVESTMENT_INPUT,
    data_schema=INVESTMENT_RESULT,
    source=INVESTMENT_SOURCE,
    run="tzzr_mcp.plugins.finance.investment_tool:run",
    questions=(
        "¿Cuánto tendré en 15 años si invierto 10.000, aporto 200 al mes y rinde el 6 % anual con perfil moderado?",
    ),
    open_world=False,
)

plugin = Plugin(
    name="finance",
    description="Calculadoras financieras: amortización de préstamos y proyección de inversiones.",
    tools=(_LOAN, _INVESTMENT),
)
