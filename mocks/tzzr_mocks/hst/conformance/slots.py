"""Values that later cases take from earlier answers: refresh tokens, an access token, an ETag."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tzzr_mocks.hst.conformance.cases import Case


class Slots(dict[str, str]):
    """Tokens by name, and what the answers add to them."""

    def learn(self, case: Case, headers: Mapping[str, str], content: bytes) -> None:
        """Keep what a later case may need."""
        if case.theme == "16":
            self._learn_tokens(case, content)
        etag = headers.get("etag")
        if etag and case.request.get("query") == "limit=1&fields=id,ref" and case.theme == "18":
            self.setdefault("etag", etag)
        if etag and case.theme == "25":
            self.setdefault("cet", etag)

    def _learn_tokens(self, case: Case, content: bytes) -> None:
        try:
            answer = json.loads(content or b"null")
        except ValueError:
            return
        tokens = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(tokens, dict) or "refresh_token" not in tokens:
            return
        if "rt" not in self or "${rt" in json.dumps(dict(case.request)):
            name = next(name for name in ("rt", "rt2", "rt3") if name not in self or name == "rt3")
            self[name] = tokens["refresh_token"]
        self.setdefault("at", tokens.get("access_token", ""))
