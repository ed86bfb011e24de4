"""``/server/specs/oas``: an OpenAPI description of what the asker may do, in the fake's own words.

Directus tells of each operation its success, a 401 and a 404. This tells every status that the fake has, the 500s among
them that the recordings show for what Directus does not look at (directus.md §6).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from tzzr_mocks.hst.accounts import Account
from tzzr_mocks.hst.routes.router import Route
from tzzr_mocks.hst.schemas import Collection
from tzzr_mocks.hst.specs import items, system, tokens
from tzzr_mocks.hst.specs.refusals import REFUSAL, refusals
from tzzr_mocks.openapi import Json


def openapi(collections: Iterable[Collection], account: Account, routes: Iterable[Route]) -> Json:
    """The description for one asker: the collections that may be read, and, for the admin, how to write.

    ``routes`` are all that there are.
    """
    seen = [one for one in collections if account.admin or one.name in account.grants]
    paths = {**tokens.paths(), **system.paths(routes)}
    for collection in seen:
        paths |= items.paths(collection, account)
    components = {
        "schemas": {"Refusal": REFUSAL, **{items.schema_name(one): items.schema(one, account) for one in seen}},
        "parameters": items.PARAMETERS,
        "responses": refusals(),
        "securitySchemes": {
            "Auth": {"type": "http", "scheme": "bearer"},
            "KeyAuth": {"type": "apiKey", "in": "query", "name": "access_token"},
        },
    }
    digest = hashlib.sha1(json.dumps([paths, components]).encode(), usedforsecurity=False).hexdigest()
    return {
        "openapi": "3.0.1",
        "info": {"title": "HST", "description": "What you may ask of this fake of Directus.", "version": digest},
        "servers": [{"url": "/", "description": "This server."}],
        "paths": paths,
        "tags": [{"name": "Items"}, *({"name": items.schema_name(one)} for one in seen)],
        "components": components,
    }
