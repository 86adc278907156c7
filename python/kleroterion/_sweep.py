"""Sweeps: a config played at every point of a grid."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from ._arguments import wrong
from ._klero import Columns
from ._request import ConfigLike
from ._run import run
from ._table import Table
from ._verdict import Judged

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True)
class SweepPoint(Judged):
    """A run of a sweep: what was set, and what came of it."""

    set: dict[str, Any]
    """The value of each key of the grid."""
    _summary: str = field(repr=False)

    @property
    def summary_json(self) -> str:
        """`summary.json` as text."""
        return self._summary


class Sweep:
    """The runs of a sweep, in the order of its grid."""

    def __init__(self, points: list[SweepPoint]) -> None:
        self.points = points
        """A run for each point of the grid; the last key changes first."""

    def __len__(self) -> int:
        return len(self.points)

    def table(self) -> Table:
        """A row for each run, policy and metric, with its n, mean, sd and se."""
        numbers = ("n", "mean", "sd", "se")
        names = [*(self.points[0].set if self.points else {}), "policy", "metric", *numbers]
        lines = [
            json.dumps({**point.set, "policy": label, "metric": metric, **pick(stats, numbers)})
            for point in self.points
            for label, policy in point.summary["policies"].items()
            for metric, stats in policy["metrics"].items()
        ]
        return Table(Columns.of_json_lines("\n".join(lines), names))

    def __repr__(self) -> str:
        return f"<Sweep of {len(self)} runs>"


def pick(stats: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Some members of a mapping."""
    return {name: stats.get(name) for name in names}


def sweep(
    config: ConfigLike,
    grid: Mapping[str, Iterable[Any]],
    *,
    executor: Executor | None = None,
    set: Mapping[str, Any] | None = None,
    **more: Any,
) -> Sweep:
    """Plays a config at every point of a grid.

    Args:
        config: as :func:`run` takes it.
        grid: the values of each key by its path: ``{"rules.until.accepted": [50, 100]}``.
        executor: what plays the points, for example a ``ProcessPoolExecutor``, whose processes must
            be able to import the policies; None plays one after another.
        set: changes that all points have.
        more: the other arguments of :func:`run`.

    Raises:
        ConfigError: with all that is wrong with the config at the first point that is wrong.
    """
    for key, given in grid.items():
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise wrong(f"grid[{key!r}]", f"{given!r} is no list of values", "give a list")
    values = [list(one) for one in grid.values()]
    if empty := [key for key, one in zip(grid, values, strict=True) if not one]:
        raise wrong(f"grid[{empty[0]!r}]", "there is no value", "give one value or more")
    settings = [dict(zip(grid, point, strict=True)) for point in product(*values)]
    play = partial(play_point, config, dict(set or {}), more)
    summaries = map(play, settings) if executor is None else executor.map(play, settings)
    points = zip(settings, summaries, strict=True)
    return Sweep([SweepPoint(point, summary) for point, summary in points])


def play_point(
    config: ConfigLike, common: dict[str, Any], more: dict[str, Any], point: dict[str, Any]
) -> str:
    """Plays one point, in whatever process, and returns its summary."""
    return run(config, set=common | point, **more).summary_json
