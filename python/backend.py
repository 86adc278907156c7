"""The build backend: that of maturin, for wheels that hold the program `klero` as well.

pip calls it wherever it builds the package: in the repository, in a source distribution, for an
editable installation. It needs cargo and a C compiler.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import maturin
from maturin import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = Mapping[str, Any] | None
# The options of maturin that decide what cargo builds, and where.
SHARED = ("--profile", "--target", "--target-dir")


def build_wheel(wheels: str, settings: Settings = None, metadata: str | None = None) -> str:
    """Builds the wheel, and returns its name."""
    with program(settings):
        return str(maturin.build_wheel(wheels, settings, metadata))


def build_editable(wheels: str, settings: Settings = None, metadata: str | None = None) -> str:
    """Builds the wheel of an editable installation, and returns its name."""
    with program(settings):
        return str(maturin.build_editable(wheels, settings, metadata))


@contextmanager
def program(settings: Settings) -> Iterator[None]:
    """Puts the program where maturin takes the scripts of a wheel from, while it builds."""
    built = os.environ.get("KLERO_PROGRAM") or compiled(settings)
    data = Path("kleroterion._klero.data")
    shutil.rmtree(data, ignore_errors=True)
    scripts = data / "scripts"
    scripts.mkdir(parents=True)
    try:
        shutil.copy2(built, scripts / ("klero.exe" if os.name == "nt" else "klero"))
        yield
    finally:
        shutil.rmtree(data)


def compiled(settings: Settings) -> str:
    """Compiles the program, and returns its path.

    The workspace is that of the extension, so that both have the same crates and one build of them.
    """
    manifest = maturin.get_config().get("manifest-path", "Cargo.toml")
    asked = shared(maturin.get_maturin_pep517_args(settings))
    if not any(word.startswith("--profile") for word in asked):
        asked.append("--release")
    words = ["build", "--locked", "--manifest-path", manifest, "--package", "kleroterion"]
    words += ["--bin", "klero", "--message-format", "json-render-diagnostics", *asked]
    print("Running `cargo {}`".format(" ".join(words)), flush=True)
    said = subprocess.run(["cargo", *words], stdout=subprocess.PIPE, check=True, text=True).stdout
    made = [json.loads(line).get("executable") for line in said.splitlines()]
    return str(next(path for path in made if path))


def shared(words: list[str]) -> list[str]:
    """Those of maturin's options that cargo takes for the program too."""
    kept: list[str] = []
    for word, value in zip(words, [*words[1:], ""], strict=True):
        if word in SHARED:
            kept += [word, value]
        elif word.startswith(tuple(f"{option}=" for option in SHARED)):
            kept.append(word)
    return kept
