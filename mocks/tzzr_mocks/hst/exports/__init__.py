"""``export=``: the answer as a file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from tzzr_mocks.hst.errors import Refusal
from tzzr_mocks.hst.exchange import JSON_TYPE, Answer, respond_text
from tzzr_mocks.hst.exports.csv_file import to_csv
from tzzr_mocks.hst.exports.json_file import to_json
from tzzr_mocks.hst.exports.xml_file import to_xml
from tzzr_mocks.hst.exports.yaml_file import to_yaml

_BOM = "\ufeff"
_CSV = "text/csv; charset=utf-8"


def _marked(text: str) -> str:
    return _BOM + text if text else text


_WRITERS: dict[str, tuple[Callable[[Any], str], str, str]] = {
    "csv": (to_csv, _CSV, "csv"),
    "csv_utf8": (lambda rows: _marked(to_csv(rows)), _CSV, "csv"),
    "json": (to_json, JSON_TYPE, "json"),
    "xml": (to_xml, "text/xml; charset=utf-8", "xml"),
    "yaml": (to_yaml, "text/yaml; charset=utf-8", "yaml"),
}
"""Writer, Content-Type and file name's ending, by the word in the query."""


def export(word: str, collection: str, rows: Any, now: datetime) -> Answer:
    """Rows, or one row, as an attachment named after the collection and the server's clock.

    Raises:
        Refusal: 500 with the attachment's headers, the rows cannot be written so.
    """
    writer, kind, ending = _WRITERS[word]
    name = f'attachment; filename="{collection} {now:%Y%m%d}-{now.hour}{now.minute}{now.second}.{ending}"'
    headers = {"content-disposition": name}
    try:
        return respond_text(writer(rows), kind, **headers)
    except Refusal as refusal:
        refusal.headers |= {**headers, "content-type": kind}
        raise
