"""Addresses and tokens of services: what no request can be made of is refused at start, and no token is shown."""

from __future__ import annotations

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import SecretStr, TypeAdapter, ValidationError

from tzzr_mcp.plugins.context import plugin as context
from tzzr_mcp.plugins.grace import plugin as grace
from tzzr_mcp.plugins.hst import plugin as hst
from tzzr_mcp.services.credentials import BaseUrl, Token
from tzzr_mcp.settings import StartError, load_settings

ADDRESSES: TypeAdapter[str] = TypeAdapter(BaseUrl)
TOKENS: TypeAdapter[SecretStr] = TypeAdapter(Token)
KEYS = {"RUNPOD_API_KEY": "key", "HST_TOKEN": "token"}


@pytest.mark.parametrize(
    "address",
    ["ftp://x", "x", "http://", "http://u:p@x", "http://x:99999", "http://x:0", "http://x:a", "http://[::1", "http://x?y", "http://x#y", "http://x y"],
)  # fmt: skip
def test_what_is_no_address_of_a_service_is_refused(address: str) -> None:
    with pytest.raises(ValidationError, match="should be like https://host:8055/path"):
        ADDRESSES.validate_python(address)


@pytest.mark.parametrize(
    "address", ["http://localhost:8055", "https://api.runpod.ai/v2", "http://[::1]:80/a/b/", "HTTP://x"]
)
def test_an_address_is_taken_as_it_is(address: str) -> None:
    assert ADDRESSES.validate_python(address) == address


@given(st.text(max_size=12))
@example("ñ")
@example("a\nb")
@example(" a")
def test_a_token_that_is_taken_fits_into_a_header(text: str) -> None:
    try:
        token = TOKENS.validate_python(text).get_secret_value()
    except ValidationError:
        assert not (text.isascii() and text.isalnum())
        return
    assert httpx.Headers({"Authorization": f"Bearer {token}"})["Authorization"] == f"Bearer {text}"
    assert text == "" or (text.isprintable() and " " not in text)


@pytest.mark.parametrize("name", ["RUNPOD_API_KEY", "HST_TOKEN", "CONTEXT_TOKEN"])
def test_a_token_that_does_not_fit_stops_the_start_and_is_not_shown(name: str) -> None:
    with pytest.raises(StartError) as caught:
        load_settings([grace, hst, context], {**KEYS, name: "contraseña"})
    assert f"{name}: should be printable ASCII" in str(caught.value)
    assert "contrase" not in str(caught.value)


@pytest.mark.parametrize("name", ["GRACE_BASE_URL", "HST_BASE_URL", "CONTEXT_BASE_URL"])
def test_an_address_out_of_range_stops_the_start(name: str) -> None:
    with pytest.raises(StartError, match=f"{name} is 'http://x:99999': should be like"):
        load_settings([grace, hst, context], {**KEYS, name: "http://x:99999"})


@pytest.mark.parametrize("endpoint", ["a/../b", "..", "a?b", "a b"])
def test_an_endpoint_is_one_segment_of_a_path(endpoint: str) -> None:
    with pytest.raises(StartError, match="GRACE_ENDPOINT_ID"):
        load_settings([grace], {**KEYS, "GRACE_ENDPOINT_ID": endpoint})
