"""`run_stratification` with the signature of the package sortition-algorithms.

It takes the objects of that package, and any others with the members that are read here. Nothing of
that package is imported.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from .._errors import KleroError
from .._people import Lottery, lottery

KINDS = ("maximin", "leximin", "nash")


class People(Protocol):
    """The people of that package."""

    def __iter__(self) -> Iterator[str]: ...
    def get_person_dict(self, person_key: str, /) -> Mapping[str, str]: ...


class Settings(Protocol):
    """The settings of that package that are read."""

    @property
    def check_same_address(self) -> bool: ...
    @property
    def check_same_address_columns(self) -> list[str]: ...
    @property
    def selection_algorithm(self) -> str: ...
    @property
    def random_number_seed(self) -> int: ...


@dataclass
class Report:
    """What was done, or what is wrong, in lines."""

    lines: list[str] = field(default_factory=list)
    error: KleroError | None = None
    """The error, if there was one: its class says which kind."""

    def as_text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)

    def __bool__(self) -> bool:
        return bool(self.lines)


def run_stratification(
    features: Mapping[str, Mapping[str, Any]],
    people: People,
    number_people_wanted: int,
    settings: Settings,
    *,
    test_selection: bool = False,
    number_selections: int = 1,
    already_selected: People | None = None,
    max_seconds: int = 30,
    progress_reporter: Any = None,
) -> tuple[bool, list[frozenset[str]], Report]:
    """Selects panels by a lottery that is as fair as can be.

    ``selection_algorithm`` is maximin, leximin or nash; any other is an error. ``max_seconds`` has
    no meaning, because a lottery takes milliseconds.

    Returns:
        Whether it succeeded, the panels as sets of ids, and the report, which holds the error.
    """
    del max_seconds
    report = Report()
    try:
        kind = settings.selection_algorithm
        if kind not in KINDS:
            raise KleroError(f"there is no {kind!r} here: use one of {', '.join(KINDS)}")
        homes = settings.check_same_address_columns if settings.check_same_address else []
        found = lottery(
            rows(people),
            {name: dict(values) for name, values in features.items()},
            number_people_wanted,
            kind=_kind(kind),
            id=ID,
            unique=homes,
            already=None if already_selected is None else rows(already_selected),
            progress=_teller(progress_reporter),
        )
    except KleroError as error:
        report.lines.append(str(error))
        report.error = error
        return False, [], report
    finally:
        if progress_reporter is not None:
            progress_reporter.end_phase()
    seed = 0 if test_selection else settings.random_number_seed
    report.lines.append(repr(found))
    return True, _panels(found, number_selections, seed or None, test_selection), report


ID = "klero id"


def rows(people: People) -> list[dict[str, str]]:
    """The people as rows, with their keys as ids."""
    return [{**people.get_person_dict(key), ID: str(key)} for key in people]


def _kind(kind: str) -> Literal["maximin", "leximin", "nash"]:
    return "maximin" if kind == "maximin" else "nash" if kind == "nash" else "leximin"


def _panels(found: Lottery, many: int, seed: int | None, test: bool) -> list[frozenset[str]]:
    if test:
        return [frozenset(found.panels[0].members)] * many
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    return [frozenset(found.pick(rng.random()).members) for _ in range(many)]


def _teller(reporter: Any) -> Any:
    if reporter is None:
        return None
    reporter.start_phase("lottery", None, message="computing the lottery")
    count = 0

    def tell(words: str) -> None:
        nonlocal count
        count += 1
        reporter.update(count, message=words)

    return tell
