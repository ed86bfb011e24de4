"""The tags that the HST fake serves: 639 of `hst`, 145 of `spe` and 65 of `flg`.

The rows are package data, one JSON object a line, written by `python -m tzzr_mocks.hst.tags.generate`
from the outlines under `curated/`. Their fields are those of CONTRACT §6.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, Final

LIBRARIES: Final = ("hst", "spe", "flg")
"""The three tag libraries; library `x` is the Directus collection `tags_x`."""


def rows(library: str) -> list[dict[str, Any]]:
    """Return the rows of one of `LIBRARIES` in the order of their ids.

    Each row has `id`, `ref`, `nombre`, `nombre_en`, `descripcion`, `grupo`, `padre`, `nivel`, `orden`,
    `activo`, `metadatos`, `date_created` and `date_updated`. The objects are new at every call: what a
    caller changes, no other caller sees. Raises `ValueError` for any other library.
    """
    return [json.loads(line) for line in _lines(library)]


@cache
def _lines(library: str) -> tuple[str, ...]:
    if library not in LIBRARIES:
        raise ValueError(f"no tag library {library!r}; there are {', '.join(LIBRARIES)}")
    text = resources.files(__name__).joinpath(f"tags_{library}.jsonl").read_text(encoding="utf-8")
    return tuple(text.splitlines())
