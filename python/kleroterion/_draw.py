"""The one real panel: commitments, draws and their checks; and how many letters to send."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from . import _klero
from ._errors import ConfigError, Problem
from ._people import Event, Quotas, panel, stopper
from ._request import ConfigLike, Tables, request, toml

Randomness = str | bytes | os.PathLike[str]
"""What a public source published: a text, bytes, or the path of a file."""


@dataclass
class AskedPanelDraw:
    """The arguments of a draw, collected for the extension."""

    config: str
    policy: str | None = None
    out: str | None = None
    alternates: int | None = None
    title: str | None = None
    tables: Tables = field(default_factory=list)
    data: str | None = field(default_factory=lambda: os.environ.get("KLERO_DATA"))
    ids: bool = False
    chances: int | None = None
    threads: int | None = None


class Draw:
    """A draw that was made, with its folder."""

    def __init__(self, folder: Path, record: str, notes: list[str]) -> None:
        self.folder = folder
        """The folder with the files of the draw. Some hold people's data."""
        self.record: dict[str, Any] = json.loads(record)
        """The contents of `draw.json`, which names people by codes."""
        self.notes = notes
        """What a reader of the draw should know."""

    @property
    def commitment(self) -> str:
        """The hash of the commitment."""
        return str(self.record["commitment"])

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


def draw(
    respondents: object,
    quotas: Quotas,
    size: int,
    *,
    randomness: Randomness,
    out: str | os.PathLike[str],
    kind: Literal["maximin", "leximin", "nash"] = "leximin",
    id: str | None = "id",
    unique: Iterable[str] = (),
    alternates: int | None = None,
    title: str | None = None,
    progress: Callable[[str], object] | None = None,
    cancel: Event | Callable[[], bool] | None = None,
) -> Draw:
    """Draws the one real panel into a new folder, by public randomness.

    Anybody can compute the panel again from the folder: ``verify(out)``, or ``klero draw verify``.
    To fix all else before the randomness is known, call ``commit`` with the same arguments, and
    publish what it returns.

    Args:
        respondents, quotas, size, kind, id, unique: as for ``lottery``.
        randomness: what a public source published: a text, bytes, or the path of a file.
        out: the folder of the draw, which is made; or that of its commitment.
        alternates: the most alternates that are listed; as many as members if None.
        title: the title of the draw's page.
        progress: a function that is called with what goes on, in words.
        cancel: an event, or a function that returns True to stop.

    Raises:
        ConfigError: with all that is wrong with the tables, each with its row and column, and if
            the folder holds another draw, or a commitment to other inputs.
        NoPanel: if no panel keeps the quotas, with the clash.
        Cancelled: if the caller cancelled.
    """
    published = _published(randomness)
    tell = None if progress is None else lambda words, *_: progress(words)
    with _asked(respondents, quotas, size, kind, id, unique) as asked:
        asked.out, asked.alternates, asked.title = os.fspath(out), alternates, title
        record, notes = _klero.draw(asked, published, tell, stopper(cancel))
    return Draw(Path(out), record, notes)


def commit(
    respondents: object,
    quotas: Quotas,
    size: int,
    *,
    randomness: str,
    out: str | os.PathLike[str],
    kind: Literal["maximin", "leximin", "nash"] = "leximin",
    id: str | None = "id",
    unique: Iterable[str] = (),
    alternates: int | None = None,
    title: str | None = None,
) -> str:
    """Commits to a draw before its randomness is known, and returns the hash to publish.

    Args:
        respondents, quotas, size, kind, id, unique, out, alternates, title: as for ``draw``.
        randomness: the name of the public randomness to come: ``"drand round 4711"``.

    Raises:
        ConfigError, NoPanel: as for ``draw``.
    """
    if not randomness.strip():
        help = "say where and when it will be published: 'the lottery numbers of 3 May'"
        raise ConfigError([Problem("randomness", None, None, "it has no name", help)])
    with _asked(respondents, quotas, size, kind, id, unique) as asked:
        asked.out, asked.alternates, asked.title = os.fspath(out), alternates, title
        return _klero.commit(asked, randomness.strip())[0]


def verify(
    folder: str | os.PathLike[str],
    *,
    commitment: str | None = None,
    randomness: Randomness | None = None,
    respondents: str | os.PathLike[str] | None = None,
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
        progress: a function that is called with what goes on, in words.
        cancel: an event, or a function that returns True to stop.

    Raises:
        ConfigError: if the folder holds no draw, or one that can't be read.
    """
    published = None if randomness is None else _published(randomness)
    people = None if respondents is None else os.fspath(respondents)
    tell = None if progress is None else lambda words, *_: progress(words)
    found = _klero.verify(folder, commitment, published, people, tell, stopper(cancel))
    return [Check(*one) for one in found]


class Letters:
    """The plan of a recruitment, or of a panel's alternates."""

    def __init__(self, text: str, plan: str) -> None:
        self.text = text
        """The plan in words."""
        self.plan: dict[str, Any] = json.loads(plan)
        """The plan as ``klero plan --format json`` has it."""

    def __str__(self) -> str:
        return self.text


def letters(
    config: ConfigLike,
    *,
    sure: float | None = None,
    simulations: int = 1000,
    panel: str | os.PathLike[str] | None = None,
    alternates: int | None = None,
    set: Mapping[str, Any] | None = None,
    people: object = None,
) -> Letters:
    """Plans how many letters to send, so that a committee that keeps all quotas can be had.

    Args:
        config: a config with a committee, quotas, and the rate of answers
            (``letters.rate``, or ``source.volunteering_rate``).
        sure: the probability with which there is to be such a committee.
        simulations: the number of recruitments that are simulated.
        panel: a file with the ids of a panel, whose alternates are planned in place of letters.
        alternates: the number of alternates; as many as leave in the mean if None.
        set: changes of the config, a value by its path.
        people: a table of people in place of the config's file.

    Raises:
        ConfigError: with all that is wrong with the config, or what it lacks for a plan.
    """
    if sure is not None and not 0 < sure < 1:
        help = "give a number above 0 and below 1, such as 0.95"
        raise ConfigError([Problem("sure", None, None, f"{sure} is no such probability", help)])
    if simulations < 1:
        help = "give a whole number from 1"
        raise ConfigError([Problem("simulations", None, None, "there is nothing to count", help)])
    asked = request(config, set=set, people=people)
    file = None if panel is None else os.fspath(panel)
    return Letters(*_klero.letters(asked, sure, simulations, file, alternates))


@contextmanager
def _asked(
    respondents: object,
    quotas: Quotas,
    size: int,
    kind: str,
    id: str | None,
    unique: Iterable[str],
) -> Iterator[AskedPanelDraw]:
    """The arguments of a draw, with a config in a folder that goes with this context."""
    import tempfile

    asked = panel(respondents, quotas, size, kind=kind, id=id, unique=unique)
    _klero.feasible(asked)
    tables = [("people", asked.respondents), ("quotas", asked.quotas)]
    path = {
        name: str(Path(table).absolute()) if isinstance(table, str) else {"memory": name}
        for name, table in tables
    }
    source = {"type": "respondents", "path": path["people"]}
    rules: dict[str, object] = {"choose": "at_most_one", "until": {"accepted": size}}
    sections: dict[str, Mapping[str, object]] = {
        "[source]": source if id is None else source | {"id": id},
        "[target]": {"categories": path["quotas"]},
        "[rules]": rules | {"unique": asked.unique} if asked.unique else rules,
        "[[policy]]": {"label": kind, "kind": kind},
    }
    lines = ['name = "draw"']
    for name, keys in sections.items():
        lines += [name, *(f"{key} = {toml(value)}" for key, value in keys.items())]
    with tempfile.TemporaryDirectory(prefix="klero-") as folder:
        config = Path(folder) / "draw.toml"
        config.write_text("\n".join(lines) + "\n", encoding="utf-8")
        held = [(name, table) for name, table in tables if isinstance(table, list)]
        yield AskedPanelDraw(str(config), kind, tables=held)


def _published(given: Randomness) -> tuple[bytes, bool]:
    """The bytes of public randomness, and whether they are of a file."""
    is_file = isinstance(given, os.PathLike)
    if isinstance(given, os.PathLike):
        given = Path(given).read_bytes()
    published = given.encode() if isinstance(given, str) else bytes(given)
    if not published.strip():
        help = "give what a public source published: the numbers of a lottery, a beacon's value"
        raise ConfigError([Problem("randomness", None, None, "the randomness is empty", help)])
    return published, is_file
