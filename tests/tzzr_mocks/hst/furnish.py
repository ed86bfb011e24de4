"""Makes an empty Directus the recorded one: the three collections with their rows, the accounts with their tokens.

Run: ``python -m tests.tzzr_mocks.hst.furnish http://127.0.0.1:8055``. It writes, so it wants a server of its own, set up
by ``oracle.env``; it ends at the first refusal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from tests.tzzr_mocks.hst.asking import TOKENS
from tzzr_mocks.hst.schemas import LIBRARIES
from tzzr_mocks.hst.seed import recorded_rows

PASSWORD = "Lab-Passw0rd!"
PACK = 100
"""Rows in one request."""

TYPES = {
    "id": "integer", "ref": "string", "nombre": "string", "nombre_en": "string", "descripcion": "text", "grupo": "string",
    "padre": "string", "nivel": "integer", "orden": "integer", "activo": "boolean", "metadatos": "json",
    "date_created": "timestamp", "date_updated": "timestamp",
}  # fmt: skip
SPECIALS = {"activo": ["cast-boolean"], "metadatos": ["cast-json"]}
SCHEMAS = {
    "id": {"is_primary_key": True, "has_auto_increment": True},
    "ref": {"is_nullable": False, "is_unique": True},
}
STAMPS = {"date_created": "date-created", "date_updated": "date-updated"}
INTERFACES = {
    "descripcion": "input-multiline", "activo": "boolean", "metadatos": "input-code", "date_created": "datetime",
    "date_updated": "datetime",
}  # fmt: skip


class Refused(Exception):
    """The server would not have it; the message says what and why."""


@dataclass(frozen=True)
class Admin:
    """The server, as its administrator sees it."""

    client: httpx.Client

    def call(self, method: str, path: str, body: Any) -> Any:
        """One request; what came in ``data``."""
        answer = self.client.request(method, path, json=body)
        if answer.is_error:
            raise Refused(f"{method} {path}: {answer.status_code} {answer.text[:500]}")
        return answer.json()["data"] if answer.content else None

    def collection(self, library: str) -> None:
        """One collection with its rows. The dates become Directus' own last, or it would write them itself."""
        name = f"tags_{library}"
        fields = [_field(field) for field in TYPES]
        self.call(
            "POST", "/collections", {"collection": name, "schema": {}, "meta": {"icon": "label"}, "fields": fields}
        )
        rows = [{key: value for key, value in row.items() if key != "id"} for row in recorded_rows(library)]
        for first in range(0, len(rows), PACK):
            self.call("POST", f"/items/{name}", rows[first : first + PACK])
        for field, special in STAMPS.items():
            meta = {"special": [special, "cast-timestamp"], "readonly": True}
            self.call("PATCH", f"/fields/{name}/{field}", {"meta": meta})

    def account(self, name: str, libraries: tuple[str, ...], status: str = "active") -> None:
        """A user with a role of its own, which may read some collections."""
        role = self.call("POST", "/roles", {"name": name})["id"]
        policy = self.call("POST", "/policies", {"name": name, "admin_access": False, "app_access": False})["id"]
        self.call("POST", "/access", {"role": role, "policy": policy})
        for library in libraries:
            right = {"policy": policy, "collection": f"tags_{library}", "action": "read", "fields": ["*"]}
            self.call("POST", "/permissions", right)
        user = {"email": f"{name}@example.com", "password": PASSWORD, "token": TOKENS[name], "first_name": name.title()}
        self.call("POST", "/users", {**user, "role": role, "status": status})


def _field(name: str) -> Mapping[str, Any]:
    meta = {
        "interface": INTERFACES.get(name, "input"),
        "special": SPECIALS.get(name),
        "hidden": False,
        "readonly": False,
    }
    schema = SCHEMAS.get(name, {"is_nullable": True, "is_unique": False})
    return {"field": name, "type": TYPES[name], "schema": schema, "meta": meta}


def furnish(admin: Admin) -> None:
    """Everything, in the order in which ids were given when the answers were recorded.

    Raises:
        Refused: the server would not have it, most likely because it is not empty.
    """
    for library in ("hst", "spe", "flg"):
        admin.collection(library)
    admin.account("reader", tuple(LIBRARIES))
    admin.account("noaccess", ())
    admin.account("suspended", ("hst",), status="suspended")


def main() -> None:
    """Read the options, furnish."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="where the empty Directus is")
    parser.add_argument("--token", default=TOKENS["admin"], help="its administrator's (default: the one of oracle.env)")
    options = parser.parse_args()
    headers = {"Authorization": f"Bearer {options.token}"}
    with httpx.Client(base_url=options.base, headers=headers, timeout=60) as client:
        try:
            furnish(Admin(client))
        except (Refused, httpx.TransportError) as error:
            sys.exit(f"{options.base} cannot be furnished: {error}")


if __name__ == "__main__":
    main()
