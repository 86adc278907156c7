"""The notebooks of the documentation run from top to bottom, and hold no output."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

DOCS = Path(os.environ.get("KLERO_DOCS") or Path(__file__).parents[2] / "docs")
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.mark.skipif(not DOCS.exists(), reason="the documentation is not here")
def test_the_guide_leads_to_every_notebook() -> None:
    guide = (DOCS / "python.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 3
    assert all(f"(notebooks/{path.name})" in guide for path in NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_no_output_and_asks_no_server(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    cells = json.loads(text)["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
    assert "://" not in text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    own = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3", resources=own).execute()
    results = [cell.outputs for cell in book.cells if cell.cell_type == "code"]
    assert results[-1] and "://" not in json.dumps(results).replace("http://www.w3.org/", "")
