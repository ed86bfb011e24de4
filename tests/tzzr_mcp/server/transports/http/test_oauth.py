"""Access tokens of an authorization server: which are accepted, and how a client finds out where to get one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.tzzr_mcp.server.tiny import ERAS, Era
from tests.tzzr_mcp.server.transports.http.reaching import HELLO, JSON, request, served
from tzzr_mcp.seams import SystemClock
from tzzr_mcp.server.transports.http import HttpOptions, oauth
from tzzr_mcp.server.transports.http.oauth import AccessTokens
from tzzr_mcp.server.transports.http.options import OAuth
from tzzr_mcp.server.transports.http.tokens import Tokens

LATER = 4_000_000_000
ISSUER, RESOURCE = "https://login.example", "https://tzzr.example/mcp"
SETTINGS = OAuth(ISSUER, "https://login.example/keys", RESOURCE, ("tzzr.use",))
CLAIMS = {"iss": ISSUER, "aud": RESOURCE, "sub": "ana", "azp": "app", "scope": "tzzr.use more", "exp": LATER}
KEY, STRANGER = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())

Issue = Callable[..., str]


class Published:
    """The authorization server's keys, how often somebody asked for them, and how."""

    def __init__(self) -> None:
        self.asked = 0
        self.broken = False
        self.secret = ""
        self.how: list[tuple[Any, ...]] = []

    def get_signing_keys(self, refresh: bool = False) -> list[jwt.PyJWK]:
        assert refresh
        self.asked += 1
        if self.broken:
            raise jwt.PyJWKClientConnectionError("unreachable")
        key = jwt.algorithms.ECAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
        keys = [jwt.PyJWK({**key, "kid": "one", "alg": "ES256"})]
        if self.secret:
            keys.append(jwt.PyJWK({"kty": "oct", "k": self.secret, "kid": "shared", "alg": "HS256"}))
        return keys


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> Published:
    keys = Published()

    def client(url: str, **options: Any) -> Published:
        keys.how.append((url, options))
        return keys

    monkeypatch.setattr("jwt.PyJWKClient", client)
    return keys


def issued(key: Any = KEY, kid: str = "one", algorithm: str = "ES256", **changes: Any) -> str:
    claims = {name: value for name, value in {**CLAIMS, **changes}.items() if value is not None}
    return jwt.encode(claims, key, algorithm, {"kid": kid})


async def test_a_right_token_tells_who_asks_and_for_whom(published: Published) -> None:
    token = issued()
    access = await AccessTokens(SETTINGS).verify_token(token)
    assert access is not None
    assert access.token == token
    assert (access.client_id, access.subject, access.scopes) == ("app", "ana", ["tzzr.use", "more"])
    assert (access.claims, access.resource, access.expires_at) == ({"iss": ISSUER}, RESOURCE, LATER)


@pytest.mark.parametrize(
    ("changes", "client"),
    [({"client_id": "own"}, "own"), ({}, "app"), ({"azp": None}, "ana"), ({"client_id": 7, "azp": None}, "7")],
)
async def test_the_client_is_whom_the_token_names_or_else_its_subject(
    published: Published, changes: dict[str, Any], client: str
) -> None:
    access = await AccessTokens(SETTINGS).verify_token(issued(**changes))
    assert access is not None
    assert access.client_id == client


@pytest.mark.parametrize(("late_s", "taken"), [(-5, True), (20, True), (45, False)])
async def test_the_two_clocks_may_differ_by_half_a_minute(published: Published, late_s: int, taken: bool) -> None:
    token = issued(exp=int(SystemClock().now().timestamp()) - late_s)
    assert (await AccessTokens(SETTINGS).verify_token(token) is not None) is taken


async def test_the_keys_are_asked_for_where_the_settings_say_and_never_kept_by_the_library(
    published: Published,
) -> None:
    await AccessTokens(SETTINGS).verify_token(issued())
    options = {"cache_keys": False, "cache_jwk_set": False, "timeout": oauth.FETCH_S}
    assert published.how == [(SETTINGS.jwks_url, options)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"kid": "two"}, "an access token is refused: its key is unknown"),
        ({"scope": "tzzr.other"}, "an access token is refused: a scope is missing"),
        ({"iss": "https://evil.example"}, "an access token is refused: Invalid issuer"),
    ],
)
async def test_the_log_says_why_a_token_is_refused_and_not_which(
    published: Published, caplog: pytest.LogCaptureFixture, changes: dict[str, Any], told: str
) -> None:
    caplog.set_level("INFO")
    await AccessTokens(SETTINGS).verify_token(issued(**changes))
    assert [record.getMessage() for record in caplog.records] == [told]


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "https://other.example/mcp"},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"nbf": LATER},
        {"sub": None},
        {"scope": "tzzr.other"},
        {"scope": None},
        {"key": STRANGER},
        {"kid": "two"},
        {"key": "a secret of thirty-two characters", "algorithm": "HS256"},
        {"key": "", "algorithm": "none"},
    ],
    ids=lambda changes: (
        " ".join(f"{name}={value}" for name, value in changes.items() if value is not STRANGER) or "key"
    ),
)
async def test_a_token_with_one_thing_wrong_is_refused(published: Published, changes: dict[str, Any]) -> None:
    assert await AccessTokens(SETTINGS).verify_token(issued(**changes)) is None


@pytest.mark.parametrize("token", ["", "nonsense", "a.b.c", "ñ"])
async def test_what_is_no_token_is_refused(published: Published, token: str) -> None:
    assert await AccessTokens(SETTINGS).verify_token(token) is None


@pytest.mark.parametrize("resource", [RESOURCE, "https://tzzr.example/X"])
@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("slash_of_ours", ["", "/"])
async def test_a_slash_at_the_audience_s_end_does_not_matter(
    published: Published, resource: str, slash: str, slash_of_ours: str
) -> None:
    tokens = AccessTokens(replace(SETTINGS, resource=f"{resource}{slash_of_ours}"))
    assert await tokens.verify_token(issued(aud=["https://else.example", f"{resource}{slash}"])) is not None


async def test_a_published_secret_signs_nothing(published: Published) -> None:
    published.secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"
    token = issued("secret-secret-secret-secret-secret", "shared", "HS256")
    assert await AccessTokens(SETTINGS).verify_token(issued()) is not None
    assert await AccessTokens(SETTINGS).verify_token(token) is None


@pytest.mark.parametrize("scopes", ["tzzr.use 7", ["tzzr.use", 7]])
async def test_scopes_are_words_or_a_list_under_either_name(published: Published, scopes: Any) -> None:
    for name in ("scope", "scp"):
        access = await AccessTokens(SETTINGS).verify_token(issued(**{"scope": None, name: scopes}))
        assert access is not None
        assert access.scopes == ["tzzr.use", "7"]


async def test_where_no_scope_is_asked_for_a_token_without_any_is_right(published: Published) -> None:
    access = await AccessTokens(replace(SETTINGS, scopes=())).verify_token(issued(scope=None))
    assert access is not None
    assert access.scopes == []


async def test_invented_key_ids_do_not_make_the_server_ask_for_keys_each_time(published: Published) -> None:
    tokens = AccessTokens(SETTINGS)
    for number in range(20):
        await tokens.verify_token(issued(kid=f"invented {number}"))
    assert published.asked == 1
    await SystemClock().sleep(oauth.REFRESH_S)
    await tokens.verify_token(issued(kid="new"))
    assert published.asked == 2
    assert await tokens.verify_token(issued()) is not None


async def test_keys_that_cannot_be_fetched_let_nobody_in_and_are_asked_for_again(
    published: Published, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = AccessTokens(SETTINGS)
    published.broken = True
    assert await tokens.verify_token(issued()) is None
    assert caplog.records[0].getMessage() == "the authorization server's keys cannot be fetched: unreachable"
    published.broken = False
    await SystemClock().sleep(oauth.REFRESH_S)
    assert await tokens.verify_token(issued()) is not None


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_with_an_access_token_or_one_of_ours_is_let_in(published: Published, era: Era) -> None:
    options = HttpOptions(oauth=SETTINGS, tokens=Tokens("alfa"))
    async with served(options=options) as reach:
        for token in (issued(), "alfa"):
            async with reach.client("http", era, {"Authorization": f"Bearer {token}"}) as client:
                assert len((await client.list_tools()).tools) == 2


async def test_a_client_without_a_token_is_told_where_to_get_one(published: Published) -> None:
    async with served(options=HttpOptions(oauth=SETTINGS)) as reach, reach.http(JSON) as http:
        refused = await http.post("/mcp", json=request(1, "initialize", **HELLO))
        assert refused.status_code == 401
        where = "/.well-known/oauth-protected-resource/mcp"
        assert f'resource_metadata="https://tzzr.example{where}"' in refused.headers["www-authenticate"]
        told = (await http.get(where)).json()
        assert (told["resource"], told["authorization_servers"]) == (RESOURCE, [f"{ISSUER}/"])
        assert (told["scopes_supported"], told["resource_name"]) == (["tzzr.use"], "TZZR")


async def test_a_session_is_for_one_person_although_the_client_is_the_same(published: Published) -> None:
    async with served(options=HttpOptions(oauth=SETTINGS)) as reach, reach.http(JSON) as http:
        ana, bea = ({"Authorization": f"Bearer {issued(sub=who)}"} for who in ("ana", "bea"))
        begun = await http.post("/mcp", json=request(1, "initialize", **HELLO), headers=ana)
        session = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
        assert (await http.post("/mcp", json=request(2, "ping"), headers={**session, **bea})).status_code == 404
        assert (await http.post("/mcp", json=request(2, "ping"), headers={**session, **ana})).status_code == 200
