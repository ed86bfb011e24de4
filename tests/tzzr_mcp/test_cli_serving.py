"""The options of serving: what they and a profile make of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from tzzr_mcp.cli import main
from tzzr_mcp.server.transports.how import How


@dataclass
class Launched:
    """What the command would have launched."""

    environ: Mapping[str, str] = field(default_factory=dict)
    how: How = field(default_factory=How)

    def __call__(self, environ: Mapping[str, str], how: How) -> int:
        self.environ, self.how = environ, how
        return 0


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> Launched:
    record = Launched()
    monkeypatch.setattr("tzzr_mcp.server.launch.launch", record)
    return record


def test_an_option_goes_before_the_environment(launched: Launched) -> None:
    words = ["--transport", "http", "--host", "::1", "--port", "1", "--workers", "3"]
    assert main(words, {"TZZR_HTTP_PORT": "2", "TZZR_HTTP_TOKEN": "alfa"}) == 0
    assert launched.environ == {
        "TZZR_TRANSPORT": "http",
        "TZZR_HTTP_HOST": "::1",
        "TZZR_HTTP_PORT": "1",
        "TZZR_HTTP_TOKEN": "alfa",
    }
    assert launched.how == How(workers=3)


def test_the_profile_poc_is_the_seed_s(launched: Launched) -> None:
    main(["--profile", "poc"], {})
    assert launched.environ == {
        "TZZR_PLUGINS": "finance",
        "TZZR_TRANSPORT": "http,sse",
        "TZZR_HTTP_HOST": "0.0.0.0",  # noqa: S104 - as the seed says
        "TZZR_HTTP_PORT": "3001",
    }
    assert launched.how == How(open_to_all=True)


def test_the_profile_poc_lets_port_and_address_be_chosen_and_never_the_plugins(launched: Launched) -> None:
    main(["--profile", "poc", "--port", "9"], {"TZZR_PLUGINS": "grace", "TZZR_HTTP_HOST": "127.0.0.1"})
    assert launched.environ["TZZR_PLUGINS"] == "finance"
    assert (launched.environ["TZZR_HTTP_HOST"], launched.environ["TZZR_HTTP_PORT"]) == ("127.0.0.1", "9")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--workers", "0"], "'0' is no number of processes; give 1 or more"),
        (["--workers", "two"], "'two' is no number of processes"),
        (["--profile", "pox"], "invalid choice: 'pox'"),
    ],
)
def test_a_wrong_option_is_refused(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words, {})
    assert caught.value.code == 2
    assert told in capsys.readouterr().err
