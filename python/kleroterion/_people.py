"""Lotteries over panels of people who are known beforehand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from . import _klero
from ._arguments import placed, whole, wrong
from ._errors import Clash, NoPanel
from ._request import columns
from ._table import escaped

Quotas = object
"""A mapping ``{"gender": {"F": (10, 20), "M": 12}}``, a table with the columns category, name, min
and max, or the path of one."""


class Event(Protocol):
    """What tells that the caller has had enough, as ``threading.Event`` does."""

    def is_set(self) -> bool:
        """True once it has."""
        ...


@dataclass
class AskedPanel:
    """The arguments of a lottery, collected for the extension."""

    respondents: str | Columns
    quotas: str | Columns
    size: int
    kind: str = "leximin"
    id: str | None = None
    unique: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Panel:
    """A panel of a lottery."""

    probability: float
    members: tuple[str, ...]
    """The ids of the members."""


class Lottery:
    """A lottery over panels, as fair as its rule can be."""

    def __init__(self, found: _klero.Lottery, kind: str) -> None:
        self._found = found
        self.kind = kind
        """maximin, leximin or nash."""

    @property
    def chances(self) -> dict[str, float]:
        """The chance of each respondent to be on the panel, by id."""
        return dict(zip(self._found.names, self._found.chances, strict=True))

    @property
    def panels(self) -> list[Panel]:
        """The panels with their probabilities, which add up to 1."""
        return [Panel(p, tuple(members)) for p, members in self._found.panels]

    @property
    def least(self) -> float:
        """The least chance of those who can be on a panel."""
        return self._found.least

    @property
    def impossible(self) -> list[str]:
        """The ids of those who can be on no panel that keeps the quotas."""
        return self._found.impossible

    @property
    def gap(self) -> float:
        """By how much a lottery could be fairer at most, as far as is proved."""
        return self._found.gap

    @property
    def certificate(self) -> list[dict[str, Any]]:
        """The proof: weights of the respondents under which no panel is heavier than the bound."""
        names = self._found.names
        return [
            {"weights": dict(zip(names, weights, strict=True)), "bound": bound}
            for weights, bound in self._found.certificate
        ]

    def pick(self, number: float | None = None) -> Panel:
        """Picks a panel by a number from 0 to below 1, or by the system's randomness.

        For a real panel use ``klero draw``, whose randomness everybody can check.
        """
        from random import SystemRandom

        left = SystemRandom().random() if number is None else number
        panels = self.panels
        for panel in panels:
            left -= panel.probability
            if left < 0:
                return panel
        return panels[-1]

    def __repr__(self) -> str:
        many, least = len(self._found.panels), self.least
        return f"<Lottery ({self.kind}) over {many} panels; the least chance is {least:.4g}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escaped(name)}</td><td>{chance:.4g}</td></tr>"
            for name, chance in list(self.chances.items())[:20]
        )
        head = "<tr><th>id</th><th>chance</th></tr>"
        return f"<p>{escaped(repr(self))}</p><table>{head}{rows}</table>"


def lottery(
    respondents: object,
    quotas: Quotas,
    size: int,
    *,
    kind: Literal["maximin", "leximin", "nash"] = "leximin",
    id: str | None = "id",
    unique: Iterable[str] = (),
    already: object = None,
    progress: Callable[[str], object] | None = None,
    cancel: Event | Callable[[], bool] | None = None,
) -> Lottery:
    """Computes the fairest lottery over panels of ``size`` that keep the quotas.

    Args:
        respondents: a table with a row a person: a mapping of columns, rows as mappings, a data
            frame, or a path.
        quotas: the fewest and the most members of each value.
        size: the number of members.
        kind: what is as large as can be: the least chance (maximin), then the next least
            (leximin), or the product of the chances (nash).
        id: the column of ids; None for the numbers of rows.
        unique: the columns that together name a household, of which at most one person is on a
            panel.
        already: a table of people who are members already. Who shares a household with one of them
            is left out; the quotas and the size are of the others.
        progress: a function that is called with what goes on, in words.
        cancel: an event, or a function that returns True to stop.

    Raises:
        ConfigError: with all that is wrong with the tables, each with its row and column.
        NoPanel: if no panel keeps the quotas, with the clash.
        Cancelled: if the caller cancelled.
    """
    asked = panel(respondents, quotas, size, kind=kind, id=id, unique=unique, already=already)
    with placed("respondents"):
        return Lottery(_klero.lottery(asked, teller(progress), stopper(cancel)), kind)


def explain(
    respondents: object,
    quotas: Quotas,
    size: int,
    *,
    id: str | None = "id",
    unique: Iterable[str] = (),
    already: object = None,
) -> Clash | None:
    """Returns which quotas clash and what would help; None if a panel keeps all of them."""
    asked = panel(respondents, quotas, size, id=id, unique=unique, already=already)
    try:
        with placed("respondents"):
            _klero.feasible(asked)
    except NoPanel as error:
        return error.clash
    return None


def panel(
    respondents: object,
    quotas: Quotas,
    size: int,
    *,
    kind: str = "leximin",
    id: str | None = "id",
    unique: Iterable[str] = (),
    already: object = None,
) -> AskedPanel:
    """The arguments of a lottery as the extension reads them."""
    homes = [unique] if isinstance(unique, str) else list(unique)
    people = sheet(respondents, "respondents")
    if already is not None and homes:
        members = named(sheet(already, "already"), "already")
        people = without(named(people, "respondents"), members, homes)
    wanted = quota_rows(quotas) if isinstance(quotas, Mapping) else quotas
    places = whole("size", size, 1, 2**32 - 1)
    return AskedPanel(people, sheet(wanted, "quotas"), places, kind, id, homes)


def stopper(cancel: Event | Callable[[], bool] | None) -> Callable[[], bool] | None:
    """A function that says whether the caller has had enough."""
    return getattr(cancel, "is_set", None) or (cancel if callable(cancel) else None)


Columns = list[tuple[str, list[str | None]]]


def teller(progress: Callable[[str], object] | None) -> Callable[[str, int, int], object] | None:
    """A function that passes on what goes on in words."""
    return None if progress is None else lambda words, *_: progress(words)


def sheet(table: object, name: str) -> str | Columns:
    """A table as its path or its columns. Its name is that of the argument."""
    with placed(name):
        return os.fspath(table) if isinstance(table, str | os.PathLike) else columns(table)


def named(table: str | Columns, name: str) -> Columns:
    """The columns of a table, read if it is a path."""
    if not isinstance(table, str):
        return table
    import csv

    try:
        with open(table, newline="", encoding="utf-8-sig") as file:
            return columns(list(csv.DictReader(file)))
    except OSError as error:
        what = f"the file {table} can't be read: {error.strerror}"
        raise wrong(name, what, "correct the path") from None


def without(people: Columns, members: Columns, homes: Sequence[str]) -> Columns:
    """The people who share no household with a member."""

    def addresses(table: Columns, name: str) -> list[tuple[str, ...]]:
        found = dict(table)
        if missing := [home for home in homes if home not in found]:
            help = f"name columns of both tables in unique=; there are {', '.join(found)}"
            raise wrong(name, f"there is no column `{missing[0]}`", help)
        cells = ([str(cell or "").strip().lower() for cell in found[home]] for home in homes)
        return list(zip(*cells, strict=True))

    taken = set(addresses(members, "already"))
    kept = [address not in taken for address in addresses(people, "respondents")]
    return [
        (name, [cell for cell, keeps in zip(cells, kept, strict=True) if keeps])
        for name, cells in people
    ]


def quota_rows(quotas: Mapping[Any, Any]) -> Mapping[str, list[Any]]:
    """The table of quotas of a mapping; a mapping of columns stays as it is."""
    if {"category", "name"} <= set(quotas) or {"feature", "value"} <= set(quotas):
        return quotas
    rows: dict[str, list[Any]] = {"category": [], "name": [], "min": [], "max": []}
    for category, values in quotas.items():
        if not isinstance(values, Mapping):
            help = 'give the seats of each value: {"F": (4, 6), "M": (4, 6)}'
            raise wrong(f"quotas[{category!r}]", f"expected a mapping, found {values!r}", help)
        for value, seats in values.items():
            least, most = bounds(seats, f"quotas[{category!r}][{value!r}]")
            for name, cell in zip(rows, (category, value, least, most), strict=True):
                rows[name].append(cell)
    return rows


def bounds(seats: Any, place: str) -> tuple[int, int]:
    """The fewest and the most: of a number both, of a pair each, of an object its min and max."""
    if hasattr(seats, "min") and hasattr(seats, "max") and not callable(seats.min):
        return int(seats.min), int(seats.max)
    if isinstance(seats, int):
        return seats, seats
    if isinstance(seats, str) or not isinstance(seats, Iterable) or len(two := list(seats)) != 2:
        help = "give a number, or the fewest and the most: (4, 6)"
        raise wrong(place, f"expected seats, found {seats!r}", help)
    return whole(place, two[0]), whole(place, two[1])
