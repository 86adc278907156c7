"""The blocks of docs/python.md run in order, in one program."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest


def page() -> Path:
    docs = os.environ.get("KLERO_DOCS") or Path(__file__).parents[2] / "docs"
    return Path(docs) / "python.md"


@pytest.mark.skipif(not page().exists(), reason="the documentation is not here")
def test_the_blocks_of_the_documentation_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = page().read_text()
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "documentation"}
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) > 4
    for at, block in enumerate(blocks):
        if "river" in block:
            pytest.importorskip("river")
        exec(compile(block, f"<block {at} of python.md>", "exec"), names)
    assert names["run"].answer and "queue" in capsys.readouterr().out
