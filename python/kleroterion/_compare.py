"""Verdicts on numbers of one's own: a table of values, or values case by case."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from . import _klero
from ._arguments import placed, real, wrong
from ._people import sheet
from ._table import Format, laid_out
from ._verdict import Judged

T = TypeVar("T")
Side = Literal["higher", "lower", "none"]
PerMeasure: TypeAlias = T | Mapping[str, T] | None
"""A value for all measures, or a value by the name of a measure."""


@dataclass
class AskedComparison:
    """The question of a comparison, collected for the extension."""

    measures: list[str]
    policy: str
    pair: str | None
    columns: list[str]
    baseline: str | None
    directions: list[tuple[str | None, str]]
    ranges: list[tuple[str | None, tuple[float, float]]]
    margins: list[tuple[str | None, float]]
    alpha: float


class Comparison(Judged):
    """The verdicts on a table, or on the cases that were added so far.

    ``summary`` has cases, incomplete, disclosures, policies, pairs and answer. ``policies`` has the
    means of each, and in how many cases it has no value.
    """

    def __init__(self, found: _klero.Compared) -> None:
        self._found = found

    @property
    def summary_json(self) -> str:
        """The contents as JSON, as ``klero compare --format json`` prints them."""
        return self._found.summary()

    @property
    def cases(self) -> int:
        """The number of cases."""
        return int(self.summary["cases"])

    @property
    def incomplete(self) -> int:
        """The number of cases in which some policy has no value."""
        return int(self.summary["incomplete"])

    @property
    def notes(self) -> list[str]:
        """What the verdicts assume."""
        return list(self.summary["disclosures"])

    def table(self, *, width: int | None = 120, format: Format = "text") -> str:
        """The verdicts as text, Markdown or LaTeX. ``width=None`` gives Markdown."""
        return self._found.table(*laid_out(format, width))

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The page with the picture as HTML. With a path it is written there too."""
        text = self._found.page()
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.policies)} policies, {self.cases} cases: {self.answer}>"


def compare(
    table: object,
    *,
    metric: str | Iterable[str] = (),
    policy: str = "policy",
    pair: str | None = None,
    columns: Iterable[str] = (),
    baseline: str | None = None,
    direction: PerMeasure[Side] = None,
    range: PerMeasure[tuple[float, float]] = None,
    margin: PerMeasure[float] = None,
    alpha: float = 0.05,
) -> Comparison:
    """Compares policies by a table of values that no run made.

    A case is whatever all policies have a value of: a question, a customer, a replication. The
    table has a row for each policy and case; or, with ``columns``, a row for each case and a column
    for each policy. Cases are taken as independent and count in the order in which they first
    appear.

    Args:
        table: a mapping of columns, rows as mappings, a data frame, or a path. True counts as 1.
        metric: the measures: columns of numbers, or names in the column ``metric``. With
            ``columns``, the name of the one measure.
        policy: the column of the policies.
        pair: the column that says which values belong together; None for ``replication``, or, with
            ``columns``, for each row.
        columns: the columns of the policies, in a table with a column for each.
        baseline: the policy with which the others are compared; None for each with each.
        direction: the better side: higher, lower or none. None for higher, and for the known side
            of a run's own metric. A mapping has it by measure, as for range and margin.
        range: the least and the greatest value that can come. Verdicts then hold at any time; else
            they are for a number of cases that was fixed beforehand.
        margin: the difference up to which two policies count as equivalent.
        alpha: the error probability allowed to all verdicts together.

    Raises:
        ConfigError: with all that is wrong with the table, each with its row and column, and with
            the arguments.
    """
    measures, wide = words(metric), words(columns)
    asked = question(measures, direction, range, margin, alpha, baseline)
    asked.policy, asked.pair, asked.columns = policy, pair, wide
    read = sheet(table, "table")
    if not isinstance(read, str):
        numbers = {*measures, *wide, "value"}
        read = [
            (name, [TRUTHS.get(cell, cell) for cell in cells] if name in numbers else cells)
            for name, cells in read
        ]
    with placed("table" if measures else "metric"):
        return Comparison(_klero.compare(read, asked))


TRUTHS: dict[str | None, str] = {"true": "1", "false": "0"}


class Comparing:
    """A comparison to which cases are added while they come.

    Its verdicts hold at every moment: look after each case, and stop when you like.

    >>> import kleroterion as kl
    >>> comparing = kl.Comparing(["new", "old"], range=(0, 1))
    >>> comparing.add({"new": 1, "old": 0}).verdicts[0].verdict
    'undecided'

    Args:
        policies: the labels of the policies.
        range: the least and the greatest value that can come.
        metric: the name of the measure.
        baseline: the policy with which the others are compared; None for each with each.
        direction: the better side: higher, lower or none.
        margin: the difference up to which two policies count as equivalent.
        alpha: the error probability allowed to all verdicts together.

    Raises:
        ConfigError: with all that is wrong with the arguments.
    """

    def __init__(
        self,
        policies: Iterable[str],
        *,
        range: tuple[float, float],
        metric: str = "value",
        baseline: str | None = None,
        direction: Side = "higher",
        margin: float | None = None,
        alpha: float = 0.05,
    ) -> None:
        asked = question([metric], direction, range, margin, alpha, baseline)
        with placed("policies"):
            self._comparing = _klero.Comparing(words(policies), asked)

    def add(self, case: Mapping[str, float]) -> Comparison:
        """Adds a case, its value by policy, and compares all cases so far.

        A case that lacks a policy counts as incomplete. The time is in proportion to the number of
        cases so far.

        Raises:
            ConfigError: with all that is wrong with the case, which is then not added.
        """
        return self.extend([case])

    def extend(self, cases: Iterable[Mapping[str, float]]) -> Comparison:
        """Adds cases, and compares once. The cases before a wrong one stay."""
        for case in cases:
            if not isinstance(case, Mapping):
                help = 'give the value of each policy: {"new": 1, "old": 0}'
                raise wrong("case", f"expected a mapping, found {case!r}", help)
            values = [(label, real(f"case[{label!r}]", value)) for label, value in case.items()]
            with placed("case"):
                self._comparing.add(values)
        return self.comparison

    @property
    def comparison(self) -> Comparison:
        """The comparison of all cases so far."""
        return Comparison(self._comparing.comparison())

    def __len__(self) -> int:
        """The number of cases so far."""
        return self._comparing.cases


def question(
    measures: list[str],
    direction: PerMeasure[Any],
    range: PerMeasure[Any],
    margin: PerMeasure[Any],
    alpha: float,
    baseline: str | None,
) -> AskedComparison:
    """The question of a comparison, without the columns of a table."""
    ranges = [(name, pair_of("range", ends)) for name, ends in by_name(range)]
    margins = [(name, real("margin", size)) for name, size in by_name(margin)]
    directions = by_name(direction)
    return AskedComparison(
        measures, "policy", None, [], baseline, directions, ranges, margins, real("alpha", alpha)
    )


def pair_of(name: str, ends: Any) -> tuple[float, float]:
    """The least and the greatest value."""
    if isinstance(ends, str) or not isinstance(ends, Iterable) or len(two := list(ends)) != 2:
        help = "give the least and the greatest value that can come: (0, 1)"
        raise wrong(name, f"expected two numbers, found {ends!r}", help)
    return real(name, two[0]), real(name, two[1])


def words(given: str | Iterable[str]) -> list[str]:
    """A list of one name or of several."""
    return [given] if isinstance(given, str) else list(given)


def by_name(given: Any) -> list[tuple[str | None, Any]]:
    """Values by measure, without a name for all of them."""
    if given is None:
        return []
    return list(given.items()) if isinstance(given, Mapping) else [(None, given)]
