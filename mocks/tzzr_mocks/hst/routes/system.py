"""What Directus tells of itself: server, users, collections, fields - and the refusals of everything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tzzr_mocks.hst.accounts import STATIC_TOKENS, Account
from tzzr_mocks.hst.documents import (
    collection_document,
    document,
    field_document,
    health,
    listed_field,
    server_info,
)
from tzzr_mocks.hst.errors import (
    Refusal,
    Unexpected,
    forbidden,
    forbidden_action,
    forbidden_collection,
    invalid_credentials,
)
from tzzr_mocks.hst.exchange import Answer, Call, respond
from tzzr_mocks.hst.routes.router import Endpoint, Route
from tzzr_mocks.hst.schemas import SYSTEM_COLLECTIONS
from tzzr_mocks.hst.state import State

_HEALTH_TYPE = "application/health+json; charset=utf-8"
Describe = Callable[[Account], dict[str, Any]]
"""An OpenAPI document for one asker."""
_ACTIONS = ("create", "update", "delete", "share")


class SystemRoutes:
    """The endpoints that are not about items or tokens; ``describe`` tells an account of all that there are."""

    def __init__(self, state: State, describe: Describe) -> None:
        self._state = state
        self._describe = describe
        self._tokens = state.tokens

    def routes(self) -> tuple[Route, ...]:
        """The table; `refused` closes it."""
        return (
            Route("/server/info", {"GET": self.info}),
            Route("/server/health", {"GET": self.health}),
            Route("/server/specs/oas", {"GET": self.specs}),
            Route("/users/me", {"GET": self.me, "PATCH": _only(_of("directus_users"))}),
            Route("/roles/me", {"GET": self.my_role}),
            Route("/permissions/me", {"GET": self.my_permissions}),
            Route("/policies/me/globals", {"GET": self.my_policies}),
            Route("/collections/{collection}", {"GET": self.collection}),
            Route("/fields/{collection}", {"GET": self.fields, "POST": _only(forbidden)}),
            Route("/fields/{collection}/{field}", {"GET": self.field}),
            Route("/relations/{collection}", {"GET": self.relations}),
            Route("/relations/{collection}/{field}", {"GET": self.relation}),
            Route("/assets/{file}", {"GET": self.asset}),
            Route("/roles", {"GET": self.roles}),
            Route("/users", {"GET": self.users, "POST": _only(_of("directus_users"))}),
            Route("/settings", {"GET": self.settings, "PATCH": _only(_of("directus_settings"))}),
            Route("/license", {"GET": _for_admin(document("license"), forbidden)}),
            Route("/folders", {"GET": _for_admin([], Unexpected)}),
            *refused(),
        )

    async def info(self, call: Call) -> Answer:
        """``GET /server/info``."""
        return respond({"data": server_info(self._state.settings, known=call.account.known)})

    async def health(self, call: Call) -> Answer:
        """``GET /server/health``: closed to strangers, checks for the admin."""
        if not call.account.known:
            raise forbidden()
        report = health(self._state.store.dialect) if call.account.admin else {"status": "ok"}
        return respond(report, kind=_HEALTH_TYPE)

    async def specs(self, call: Call) -> Answer:
        """``GET /server/specs/oas``: not wrapped in ``data``."""
        return respond(self._describe(call.account))

    async def me(self, call: Call) -> Answer:
        """``GET /users/me``: the id alone, unless the asker may read users."""
        if not call.account.known:
            raise invalid_credentials()
        if call.account.admin:
            return respond({"data": self._user(call.account)})
        return respond({"data": {"id": self._tokens.id_of(call.account)}})

    async def users(self, call: Call) -> Answer:
        """``GET /users``."""
        _admin(call, _of("directus_users"))
        return respond({"data": [self._user(account) for account in _users()]})

    def _user(self, account: Account) -> dict[str, Any]:
        names = ("Admin", "User") if account.admin else (account.name.title(), None)
        return {
            **document("user"),
            "id": self._tokens.id_of(account),
            "first_name": names[0],
            "last_name": names[1],
            "email": f"{account.name}@example.com",
            "status": "active" if account.active else "suspended",
            "role": self._tokens.role_of(account),
        }

    async def roles(self, call: Call) -> Answer:
        """``GET /roles``: each user has a role of its own."""
        _admin(call, _of("directus_roles"))
        return respond({"data": [self._role(account) for account in _roles()]})

    async def my_role(self, call: Call) -> Answer:
        """``GET /roles/me``."""
        if not call.account.known:
            raise forbidden()
        whole = self._role(call.account)
        return respond({"data": [whole if call.account.admin else {"id": whole["id"]}]})

    def _role(self, account: Account) -> dict[str, Any]:
        admin = account.admin
        return {
            "id": self._tokens.role_of(account),
            "name": "Administrator" if admin else account.name,
            "icon": "verified" if admin else "supervised_user_circle",
            "description": "$t:admin_description" if admin else None,
            "parent": None,
            "children": [],
            "policies": [self._tokens.role_of(account)],
            "users": [self._tokens.id_of(account)],
        }

    async def my_permissions(self, call: Call) -> Answer:
        """``GET /permissions/me``: what may be read, nothing else may be done."""
        if not call.account.known:
            raise forbidden()
        if call.account.admin:
            raise not_covered(call)
        denied = {action: {"access": "none"} for action in _ACTIONS}
        found = {
            name: {
                "read": {"access": "partial" if grant.rows else "full", "fields": list(grant.fields or ("*",))},
                **denied,
            }
            for name, grant in call.account.grants.items()
        }
        return respond({"data": found})

    async def my_policies(self, call: Call) -> Answer:
        """``GET /policies/me/globals``."""
        admin = call.account.admin
        found = {"app_access": admin} | ({"admin_access": admin, "enforce_tfa": False} if call.account.known else {})
        return respond({"data": found})

    async def settings(self, call: Call) -> Answer:
        """``GET /settings``."""
        _admin(call, _of("directus_settings"))
        return respond({"data": {**document("settings"), "project_id": self._tokens.project_id}})

    async def collection(self, call: Call) -> Answer:
        """``GET /collections/{collection}``."""
        name = call.parameters["collection"]
        known = self._state.store.collections.get(name)
        if known is None or not (call.account.admin or name in call.account.grants):
            raise forbidden() if call.account.admin else forbidden_action("read", name)
        _admin(call, _of("directus_collections"))
        return respond({"data": collection_document(known, self._state.store.dialect)})

    async def fields(self, call: Call) -> Answer:
        """``GET /fields/{collection}``."""
        name = call.parameters["collection"]
        if name in SYSTEM_COLLECTIONS:
            _admin(call, _action("directus_fields"))
            raise not_covered(call)
        known = self._state.items.collection(name)
        _admin(call, _action("directus_fields"))
        dialect = self._state.store.dialect
        return respond({"data": [listed_field(known, field, dialect) for field in known.fields]})

    async def relations(self, call: Call) -> Answer:
        """``GET /relations/{collection}``: there are none."""
        self._state.items.collection(call.parameters["collection"])
        _admin(call, _action("directus_relations"))
        return respond({"data": []})

    async def relation(self, call: Call) -> Answer:
        """``GET /relations/{collection}/{field}``: there is none."""
        _admin(call, _action("directus_relations"))
        raise forbidden()

    async def asset(self, call: Call) -> Answer:
        """``GET /assets/{file}``: there is none."""
        raise forbidden()

    async def field(self, call: Call) -> Answer:
        """``GET /fields/{collection}/{field}``: open to whoever may read the field."""
        known = self._state.items.collection(call.parameters["collection"])
        if not call.account.admin and known.name not in call.account.grants:
            raise forbidden_action("read", known.name)
        name = call.parameters["field"]
        if name not in known.by_name or name not in call.account.visible(known):
            raise forbidden()
        return respond({"data": field_document(known, known.by_name[name], self._state.store.dialect)})


def _named(*names: str) -> list[Account]:
    found = {account.name: account for account in STATIC_TOKENS.values()}
    return [found[name] for name in names]


def _users() -> list[Account]:
    return _named("admin", "noaccess", "suspended", "reader")


def _roles() -> list[Account]:
    return _named("suspended", "admin", "noaccess", "reader")


Refuse = Callable[[], Refusal]


def _of(collection: str) -> Refuse:
    return lambda: forbidden_collection(collection)


def _action(collection: str) -> Refuse:
    return lambda: forbidden_action("read", collection)


def _admin(call: Call, refuse: Refuse) -> None:
    if not call.account.admin:
        raise refuse()


def not_covered(call: Call) -> Refusal:
    """501: a real Directus answers this, the fake does not."""
    text = f"This fake of Directus does not cover {call.method} {call.path}."
    return Refusal(501, "NOT_COVERED_BY_FAKE", text, path=call.path)


def _only(refuse: Refuse) -> Endpoint:
    """An endpoint that refuses all but the admin, whom the fake cannot serve."""

    async def endpoint(call: Call) -> Answer:
        _admin(call, refuse)
        raise not_covered(call)

    return endpoint


def _for_admin(value: Any, refuse: Refuse) -> Endpoint:
    """An endpoint with one fixed answer for the admin."""

    async def endpoint(call: Call) -> Answer:
        _admin(call, refuse)
        return respond({"data": value})

    return endpoint


def refused() -> list[Route]:
    """Routes of which the fake knows the refusals, and the answer where it is an empty list."""
    empty = [
        "files",
        "presets",
        "translations",
        "flows",
        "extensions",
        "operations",
        "panels",
        "dashboards",
        "versions",
        "comments",
        "notifications",
        "shares",
        "deployments",
    ]
    closed = [
        "permissions",
        "activity",
        "revisions",
        "versions",
        "policies",
        "operations",
        "panels",
        "dashboards",
        "comments",
        "notifications",
        "shares",
        "access",
        "deployments",
    ]
    return [
        *(Route(f"/{name}", {"GET": _for_admin([], _of(f"directus_{name}"))}) for name in empty),
        *(Route(f"/{name}", {"GET": _only(_of(f"directus_{name}"))}) for name in closed),
        Route("/collections", {"GET": _only(_of("directus_collections")), "POST": _only(forbidden)}),
        Route("/fields", {"GET": _only(_action("directus_fields"))}),
        Route("/relations", {"GET": _only(_action("directus_relations"))}),
        Route("/schema/snapshot", {"GET": _only(forbidden)}),
        Route("/schema/diff", {"POST": _only(forbidden)}),
        Route("/utils/cache/clear", {"POST": _only(forbidden)}),
    ]
