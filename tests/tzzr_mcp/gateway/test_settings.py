"""The gateway's settings: every mistake at once, never a secret, and how the command ends without them."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tzzr_mcp.checks.environment import EX_CONFIG, StartError, variables
from tzzr_mcp.gateway.connect import stdio
from tzzr_mcp.gateway.script import main, settings_lines, unknown
from tzzr_mcp.gateway.serve import serve
from tzzr_mcp.gateway.settings import GatewaySettings, Limits

ROOT = Path(__file__).parents[3]
WHOLE = {
    "TZZR_MODEL_API_KEY": "swordfish",
    "TZZR_MODEL": "some-model",
    "TZZR_GATEWAY_SERVER": "http://127.0.0.1:8000/mcp",
}


def refusal(**changes: str) -> str:
    with pytest.raises(StartError) as caught:
        GatewaySettings.from_env({**WHOLE, **changes})
    return str(caught.value)


def test_three_variables_are_enough() -> None:
    settings = GatewaySettings.from_env(WHOLE)
    assert (settings.model_api, settings.model_base_url, settings.host, settings.port) == (
        "openai",
        None,
        "127.0.0.1",
        8080,
    )
    assert settings.limits == Limits()
    assert "swordfish" not in repr(settings)


def test_what_is_missing_and_what_is_wrong_is_told_at_once_and_no_secret_is_shown() -> None:
    message = refusal(
        TZZR_MODEL="",
        TZZR_MODEL_API="oracle",
        TZZR_MODEL_BASE_URL="llm:8000",
        TZZR_GATEWAY_ROUNDS="0",
        TZZR_GATEWAY_PORT="x",
    )
    for told in (
        "5 settings are wrong:",
        "TZZR_MODEL_API is 'oracle': should be 'openai' or 'anthropic'",
        "TZZR_MODEL_BASE_URL is 'llm:8000': it is no http or https URL, as in https://llm:8000",
        "TZZR_GATEWAY_ROUNDS is '0'",
        "TZZR_GATEWAY_PORT is 'x'",
        "TZZR_MODEL is not set",
    ):
        assert told in message
    assert "swordfish" not in message


@pytest.mark.parametrize("name", ["TZZR_MODEL_API_KEY", "TZZR_GATEWAY_SERVER_TOKEN", "TZZR_GATEWAY_TOKEN"])
@pytest.mark.parametrize("secret", ["swördfish", "sword fish", "sword\nfish"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(name: str, secret: str) -> None:
    message = refusal(**{name: secret})
    assert message.startswith(f"{name}: should be printable ASCII without blanks and line breaks")
    assert secret not in message


@pytest.mark.parametrize("server", ["mcp-server-tzzr", "ftp://x/mcp", "http://", "stdio:", "stdio:  "])
def test_a_server_that_nothing_leads_to_is_refused(server: str) -> None:
    assert "TZZR_GATEWAY_SERVER" in refusal(TZZR_GATEWAY_SERVER=server)


@pytest.mark.parametrize(
    "server", ["stdio:mcp-server-tzzr --offline", "https://tzzr.example/mcp", "http://[::1]:3001/sse"]
)
def test_a_command_and_urls_lead_to_a_server(server: str) -> None:
    assert GatewaySettings.from_env({**WHOLE, "TZZR_GATEWAY_SERVER": server}).server == server


def test_a_variable_that_is_misspelt_is_told_with_the_nearest() -> None:
    assert unknown({**WHOLE, "TZZR_GATEWAY_ROUND": "3", "TZZR_PLUGINS": "finance", "HOME": "/"}) == [
        "TZZR_GATEWAY_ROUND is set, but is no setting of the gateway; did you mean TZZR_GATEWAY_ROUNDS?"
    ]


def test_the_command_lists_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--settings"]) == 0
    printed = capsys.readouterr().out
    assert all(f"| `{name}` |" in printed for name in variables(GatewaySettings))
    assert "| `TZZR_MODEL_API_KEY` | **required** | key that the model asks for (secret) |" in settings_lines()


def test_without_settings_the_command_ends_with_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], {}) == EX_CONFIG
    told = capsys.readouterr().err
    assert told.startswith("gateway: TZZR_MODEL_API_KEY, TZZR_MODEL and TZZR_GATEWAY_SERVER are not set\n")


def test_a_server_that_the_gateway_starts_sees_neither_the_model_s_key_nor_the_gateway_s_token() -> None:
    connect = stdio(
        f"{sys.executable} -m tzzr_mcp",
        {"PATH": "/bin", "TZZR_MODEL_API_KEY": "a", "TZZR_GATEWAY_TOKEN": "b", "HST_TOKEN": "c"},
    )

    async def nothing(message: object) -> None:
        return None

    client = connect(nothing)
    environment = vars(client)["server"].env
    assert environment == {"PATH": "/bin", "HST_TOKEN": "c"}


@pytest.mark.realtime
@pytest.mark.enable_socket
def test_an_address_that_is_taken_ends_the_start_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = GatewaySettings.from_env({**WHOLE, "TZZR_GATEWAY_PORT": str(taken.getsockname()[1])})
        with pytest.raises(StartError, match="Choose another port"):
            asyncio.run(serve(settings, {}))


def test_reading_the_events_imports_no_client_of_a_model_and_no_web_framework() -> None:
    code = (
        "import sys, tzzr_mcp.gateway.events, tzzr_mcp.gateway.script;"
        "print(sorted({'openai', 'anthropic', 'fastapi', 'starlette', 'mcp', 'uvicorn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
