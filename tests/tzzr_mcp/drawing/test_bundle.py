"""Modules as one script: what needs what comes first, and what cannot be put together is told."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tzzr_mcp.drawing import bundled, texts_of

NODE = shutil.which("node")
SOURCES = {
    "page.js": 'import { twice } from "./sum.js";\nimport { one } from "./number.js";\nconsole.log(twice(one), one);\n',
    "sum.js": 'import { one } from "./number.js";\nconst two = 2;\nexport function twice(n) { return two * n * one; }\n',
    "number.js": "const two = 1;\nexport const one = two;\n",
    "unused.js": "nonsense(",
}


def test_a_module_comes_once_before_whoever_needs_it_and_others_do_not_come() -> None:
    assert re.findall(r"^const \$(\w+)", bundled(SOURCES, "page.js"), re.MULTILINE) == ["number", "sum", "page"]


@pytest.mark.skipif(NODE is None, reason="no node is installed")
def test_the_script_does_what_the_modules_do_though_names_are_the_same_in_two(tmp_path: Path) -> None:
    script = tmp_path / "script.js"
    script.write_text(bundled(SOURCES, "page.js"))
    done = subprocess.run([str(NODE), str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "2 1\n"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"number.js": 'import { twice } from "./sum.js";\n'}, r"circle: page.js -> sum.js -> number.js -> sum.js"),
        ({"sum.js": 'import { one } from "./numbers.js";\n'}, r"sum.js imports numbers.js, which is not there"),
        ({"number.js": "export default 1;\n"}, r'number.js: "export default 1;" is module syntax of another form'),
        ({"number.js": 'import * as all from "./sum.js";\n'}, r'"import \* as all from "./sum.js";" is module syntax'),
    ],
)
def test_what_cannot_be_put_together_is_told(changed: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        bundled(SOURCES | changed, "page.js")


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match=r"two files are called \S+: one of tzzr_mcp.drawing, one of a package before"):
        texts_of("tzzr_mcp.drawing", "tzzr_mcp.drawing")
