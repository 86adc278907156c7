"""Configs and the program `klero` for the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SMALL = """\
name = "small"
seed = 7
replications = 20
[source]
type = "categorical"
shares = { gender = { M = 0.6, F = 0.4 } }
[target]
gender = { M = 0.5, F = 0.5 }
[rules]
choose = "at_most_one"
until = { accepted = 20 }
[[policy]]
label = "everybody"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
[report]
judge = ["representation_loss"]
baseline = "everybody"
"""


def tree() -> dict[str, Any]:
    """The same config as a mapping."""
    return {
        "name": "small",
        "seed": 7,
        "replications": 20,
        "source": {"type": "categorical", "shares": {"gender": {"M": 0.6, "F": 0.4}}},
        "target": {"gender": {"M": 0.5, "F": 0.5}},
        "rules": {"choose": "at_most_one", "until": {"accepted": 20}},
        "policy": [
            {"label": "everybody", "kind": "accept_all"},
            {"label": "queue", "kind": "virtual_queue"},
        ],
        "report": {"judge": ["representation_loss"], "baseline": "everybody"},
    }


@pytest.fixture
def small() -> dict[str, Any]:
    return tree()


@pytest.fixture
def small_file(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def klero() -> Callable[..., str]:
    """Runs the program and returns its standard output."""
    program = os.environ.get("KLERO_PROGRAM") or shutil.which("klero")
    if program is None:
        pytest.skip("there is no program klero: set KLERO_PROGRAM")

    def call(*words: object) -> str:
        command = [program, *map(str, words)]
        # Python sets COLUMNS where it reads lines.
        wide = os.environ | {"COLUMNS": "120"}
        return subprocess.run(command, check=True, capture_output=True, text=True, env=wide).stdout

    return call
