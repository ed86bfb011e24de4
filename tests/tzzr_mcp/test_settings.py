"""Settings: read from the environment, every mistake at once, never a secret."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import Field, SecretStr

from tests.tzzr_mcp.server.tiny import a_plugin
from tzzr_mcp.plugins.api import Plugin, PluginSettings
from tzzr_mcp.settings import DEFAULT_PLUGINS, Settings, StartError, load_settings, peek, unknown_variables


class Needy(PluginSettings):
    """Needs a key, takes a secret number."""

    key: SecretStr = Field(alias="NEEDY_KEY")
    pin: SecretStr | None = Field(None, alias="NEEDY_PIN", min_length=4)


NEEDY = Plugin("needy", "Necesita una clave.", settings=Needy)


def refusal(*plugins: Plugin, **environ: str) -> str:
    with pytest.raises(StartError) as caught:
        load_settings(plugins, environ)
    return str(caught.value)


def test_without_anything_the_defaults_hold() -> None:
    core = load_settings([], {}).core
    assert (core.log_level, core.log_format, core.plugins, core.offline) == ("INFO", "text", DEFAULT_PLUGINS, False)
    assert (core.call_timeout_s, core.max_calls, core.http_token) == (50, 256, None)


def test_one_missing_key_is_told_with_who_needs_it_and_what_to_do() -> None:
    assert refusal(NEEDY) == (
        "NEEDY_KEY is not set (needed by the plugin needy).\n  Set it, or run offline: mcp-server-tzzr --offline"
    )


def test_two_missing_keys_are_one_sentence() -> None:
    assert refusal(NEEDY, a_plugin()) == (
        "NEEDY_KEY and TINY_KEY are not set (needed by the plugins needy and tiny).\n"
        "  Set them, or run offline: mcp-server-tzzr --offline"
    )


def test_a_blank_variable_counts_as_not_set() -> None:
    assert "NEEDY_KEY is not set" in refusal(NEEDY, NEEDY_KEY="  ")
    assert load_settings([], {"LOG_LEVEL": ""}).core.log_level == "INFO"


def test_every_mistake_is_told_at_once_and_no_secret_is_shown() -> None:
    message = refusal(
        NEEDY,
        a_plugin(),
        TZZR_CALL_TIMEOUT_S="soon",
        LOG_LEVEL="LOUD",
        TZZR_OFFLINE="perhaps",
        NEEDY_PIN="42",
        NEEDY_KEY="k",
        TINY_SIZE="10",
    )
    first, *lines = message.splitlines()
    assert first == "6 settings are wrong:"
    assert sorted(line.split()[1].rstrip(":") for line in lines if line.startswith("  - ")) == [
        "LOG_LEVEL",
        "NEEDY_PIN",
        "TINY_KEY",
        "TINY_SIZE",
        "TZZR_CALL_TIMEOUT_S",
        "TZZR_OFFLINE",
    ]
    assert "TZZR_CALL_TIMEOUT_S is 'soon': should be a number" in message
    assert "LOG_LEVEL is 'LOUD': should be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'" in message
    assert "42" not in message


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("TZZR_MAX_CALLS", "0", "should be at least 1"),
        ("TZZR_MAX_CALLS", "1.5", "should be a whole number"),
        ("TZZR_MAX_CALLS", "many", "should be a whole number"),
        ("TZZR_OFFLINE", "perhaps", "should be true or false"),
        ("TZZR_LOG_FORMAT", "jsn", "should be 'text' or 'json'; did you mean json?"),
        ("TZZR_HTTP_PORT", "70000", "should be at most 65535"),
        ("TZZR_HTTP_SESSION_IDLE_S", "0", "should be greater than 0"),
        ("TZZR_HTTP_SESSION_IDLE_S", "nan", "should be a finite number"),
    ],
)
def test_what_a_value_should_be_is_told_in_our_own_words(name: str, value: str, why: str) -> None:
    assert refusal(**{name: value}).splitlines()[0] == f"{name} is '{value}': {why}"


def test_a_wrong_value_alone_points_to_the_list_of_settings() -> None:
    assert refusal(TZZR_MAX_CALLS="0").endswith("\n  All settings: mcp-server-tzzr --settings")


@pytest.mark.parametrize("value", ["nan", "inf", "0", "3601", "-1"])
def test_a_time_limit_must_be_a_time(value: str) -> None:
    assert f"TZZR_CALL_TIMEOUT_S is '{value}'" in refusal(TZZR_CALL_TIMEOUT_S=value)


def test_level_and_format_are_read_in_any_case() -> None:
    core = load_settings([], {"LOG_LEVEL": "debug", "TZZR_LOG_FORMAT": "JSON"}).core
    assert (core.log_level, core.log_format) == ("DEBUG", "json")


def test_the_secrets_of_all_models_are_known() -> None:
    settings = load_settings([NEEDY, a_plugin()], {"NEEDY_KEY": "a", "TINY_KEY": "b", "TZZR_HTTP_TOKEN": "c"})
    assert settings.secrets() == {"a", "b", "c"}
    assert "SecretStr('**********')" in repr(settings)
    assert isinstance(settings, Settings)


@pytest.mark.parametrize(
    ("given", "value"), [({}, False), ({"TZZR_OFFLINE": "1"}, True), ({"TZZR_OFFLINE": "x"}, False)]
)
def test_one_setting_can_be_read_before_all_are(given: dict[str, str], value: Any) -> None:
    assert peek(given, "TZZR_OFFLINE") is value


def test_a_variable_that_nobody_reads_is_told_with_the_nearest_that_somebody_does() -> None:
    environ = {"TZZR_PLUGINS": "x", "TZZR_PLUGIN": "y", "TZZR_ZZZZZZ": "z", "PATH": "p", "TZZR_MODEL_BASE_URL": "m"}
    assert unknown_variables(environ, ["TZZR_PLUGINS", "LOG_LEVEL"]) == [
        "TZZR_PLUGIN is set, but is no setting of this server; did you mean TZZR_PLUGINS?",
        "TZZR_ZZZZZZ is set, but is no setting of this server",
    ]


class Strict(PluginSettings):
    """A rule of the whole model, and a rule in words."""

    def model_post_init(self, context: Any) -> None:
        """Refuse always."""
        raise ValueError("The two ends must differ")


def test_a_rule_over_the_whole_model_is_told_under_the_plugin_s_name() -> None:
    assert refusal(Plugin("strict", "x", settings=Strict)).startswith("strict: the two ends must differ")
