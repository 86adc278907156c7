"""Verdicts, what has some, and their representation in notebooks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ._table import escaped


@dataclass(frozen=True)
class Verdict:
    """A comparison of two policies by one metric."""

    metric: str
    a: str
    b: str
    """The verdict is on a against b."""
    verdict: str
    """better, worse, equivalent, undecided, or a fact of one stream."""
    standing: str
    """sure, open or so far."""
    mean: float | None
    """The mean difference, a less b."""
    lo: float | None
    hi: float | None
    """The interval of the mean difference."""
    n: int
    """The number of replications or cases, or of rounds of one stream."""
    more: Mapping[str, Any]
    """All members of the comparison, as in `summary.json`."""

    @classmethod
    def of(cls, pair: Mapping[str, Any]) -> Verdict:
        """The verdict of a pair of `summary.json`."""
        names = (one.name for one in fields(cls) if one.name != "more")
        known: dict[str, Any] = {name: pair.get(name) for name in names}
        return cls(**known, more=pair)

    def __str__(self) -> str:
        if self.verdict in ("better", "worse"):
            return f"{self.a} is {self.verdict} than {self.b} by {self.metric}"
        return f"{self.a} against {self.b} by {self.metric}: {self.verdict}"


class Judged:
    """Results with a summary: those of a run, of a point of a sweep, or of a comparison."""

    @property
    def summary_json(self) -> str:
        """The summary as text."""
        raise NotImplementedError

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The contents of the summary."""
        return json.loads(self.summary_json)  # type: ignore[no-any-return]

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        return str(self.summary["answer"]["headline"])

    @property
    def frontier(self) -> list[str]:
        """The labels of the policies that no other dominates."""
        return list(self.summary["answer"]["frontier"])

    @property
    def verdicts(self) -> list[Verdict]:
        """The comparisons that were asked for."""
        return [Verdict.of(pair) for pair in self.summary["pairs"]]

    @property
    def policies(self) -> dict[str, dict[str, Any]]:
        """The results of each policy, by label."""
        return dict(self.summary["policies"])

    def _repr_html_(self) -> str:
        """The answer and the verdicts, for notebooks."""
        return verdicts_html(self.answer, self.verdicts)


def verdicts_html(answer: str, verdicts: list[Verdict]) -> str:
    """An answer and its verdicts with their bars, for notebooks."""
    rows = "".join(map(_row, verdicts))
    head = "<tr><th>metric</th><th></th><th></th><th></th><th>difference</th><th></th></tr>"
    table = f"<table>{head}{rows}</table>" if rows else ""
    return f"<p><b>{escaped(answer)}</b></p>{table}"


def _row(verdict: Verdict) -> str:
    words = (verdict.metric, verdict.a, verdict.verdict, verdict.b)
    cells = "".join(f"<td>{escaped(str(word))}</td>" for word in words)
    numbers = "" if verdict.mean is None else f"{verdict.mean:.4g}"
    if verdict.lo is not None and verdict.hi is not None:
        numbers += f" [{verdict.lo:.4g}, {verdict.hi:.4g}]"
    return f"<tr>{cells}<td>{numbers}</td><td>{_bar(verdict)}</td></tr>"


def _bar(verdict: Verdict) -> str:
    """The interval as a picture, about 0."""
    if verdict.mean is None or verdict.lo is None or verdict.hi is None:
        return ""
    reach = max(abs(verdict.lo), abs(verdict.hi)) or 1.0
    left, middle, right = (75 + 70 * x / reach for x in (verdict.lo, verdict.mean, verdict.hi))
    return (
        '<svg width="150" height="14" role="img"><line x1="75" x2="75" y1="0" y2="14" '
        'stroke="#999"/>'
        f'<line x1="{left:.1f}" x2="{right:.1f}" y1="7" y2="7" stroke="#36c" stroke-width="2"/>'
        f'<circle cx="{middle:.1f}" cy="7" r="3" fill="#36c"/></svg>'
    )
