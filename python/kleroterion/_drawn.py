"""Draws that were made, and their checks."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _klero
from ._arguments import placed, wrong
from ._people import Event, stopper, teller

Randomness = str | bytes | os.PathLike[str]
"""What a public source published: a text, bytes, or the path of a file."""


class _Kept:
    """A result of drawing that is kept in a folder, with its record."""

    def __init__(self, folder: Path, record: str, notes: list[str]) -> None:
        self.folder = folder
        """The folder with the files. Some hold people's data."""
        self.record: dict[str, Any] = json.loads(record)
        """The contents of `draw.json`, which names people by codes, or of `numbered.json`, which
        names no one."""
        self.notes = notes
        """What a reader should know."""

    @property
    def commitment(self) -> str:
        """The hash of the commitment. Of numbered panels it is published before the number is
        drawn."""
        return str(self.record["commitment"])


class Draw(_Kept):
    """A draw that was made, with its folder."""

    @property
    def number(self) -> int | None:
        """The number that was drawn, of numbered panels."""
        number = self.record.get("number")
        return None if number is None else int(number["value"])

    @property
    def quotas_kept(self) -> bool:
        """True if the panel is filled and keeps every quota."""
        return bool(self.record["quotas_kept"])

    @property
    def members(self) -> list[dict[str, str]]:
        """The members in order, as rows of `panel.csv`, which holds people's data."""
        return self._rows("panel.csv")

    @property
    def alternates(self) -> list[dict[str, str]]:
        """The alternates in the order in which they step in, as rows of `alternates.csv`."""
        return self._rows("alternates.csv")

    def verify(self) -> list[Check]:
        """Computes the draw again from its folder, and compares."""
        return verify(self.folder)

    def _rows(self, name: str) -> list[dict[str, str]]:
        import csv

        with (self.folder / name).open(newline="", encoding="utf-8-sig") as file:
            return list(csv.DictReader(file))

    def __repr__(self) -> str:
        many, kept = len(self.record["panel"]), "kept" if self.quotas_kept else "NOT kept"
        return f"<Draw of {many} members, quotas {kept}, in {str(self.folder)!r}>"


class Numbered(_Kept):
    """Numbered panels, of which one is drawn: ``draw(out=folder, ...)``."""

    @property
    def difference(self) -> float:
        """The largest difference of a chance from that of the lottery."""
        return float(self.record["difference"]["largest"])

    def __len__(self) -> int:
        """The number of panels."""
        return int(self.record["panels"])

    def __repr__(self) -> str:
        return f"<{len(self)} numbered panels in {str(self.folder)!r}>"


@dataclass(frozen=True)
class Check:
    """What was checked of a draw."""

    what: str
    """The thing checked."""
    differs: str | None
    """The difference, if there is one."""
    is_checked: bool
    """False for a file that is there and was not read."""

    def __bool__(self) -> bool:
        """True if nothing differs."""
        return self.differs is None

    def __str__(self) -> str:
        if self.differs is not None:
            return f"NO  {self.what}: {self.differs}"
        return f"{'ok' if self.is_checked else '--'}  {self.what}"


def verify(
    folder: str | os.PathLike[str],
    *,
    commitment: str | None = None,
    randomness: Randomness | None = None,
    respondents: str | os.PathLike[str] | None = None,
    after: str | os.PathLike[str] | None = None,
    progress: Callable[[str], object] | None = None,
    cancel: Event | Callable[[], bool] | None = None,
) -> list[Check]:
    """Computes the draw in a folder again, and returns what was checked.

    The draw is what it says if ``all(verify(folder))``.

    Args:
        folder: the folder of a draw.
        commitment: the hash that was published.
        randomness: the public randomness, from its own source.
        respondents: the file of people, from elsewhere.
        after: the folder of the draw before, of a second draw.
        progress: a function that is called with what goes on, in words.
        cancel: an event, or a function that returns True to stop.

    Raises:
        ConfigError: if the folder holds no draw, or one that can't be read.
    """
    published = None if randomness is None else published_bytes(randomness)
    people = None if respondents is None else os.fspath(respondents)
    earlier = None if after is None else os.fspath(after)
    elsewhere = (commitment, published, people, earlier)
    if after is not None:
        must_be_drawn(after)
    with placed("folder"):
        found = _klero.verify(folder, elsewhere, teller(progress), stopper(cancel))
    return [Check(*one) for one in found]


def must_be_drawn(folder: str | os.PathLike[str]) -> None:
    """Refuses a folder that holds no draw."""
    if not (Path(folder) / "draw.json").is_file():
        raise wrong("after", f"{folder} holds no draw", "name the folder of the draw before")


def published_bytes(given: Randomness) -> tuple[bytes, bool]:
    """The bytes of public randomness, and whether they are of a file."""
    is_file = isinstance(given, os.PathLike)
    if isinstance(given, os.PathLike):
        path = Path(given)
        try:
            given = path.read_bytes()
        except OSError as error:
            what = f"the file {path} can't be read: {error.strerror}"
            raise wrong("randomness", what, "correct the path") from None
    published = given.encode() if isinstance(given, str) else bytes(given)
    if not published.strip():
        help = "give what a public source published: the numbers of a lottery, a beacon's value"
        raise wrong("randomness", "the randomness is empty", help)
    return published, is_file
