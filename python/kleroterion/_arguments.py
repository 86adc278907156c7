"""The checks of arguments: what is wrong has its place and its remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from operator import index
from typing import Any

from ._errors import ConfigError, Problem


def wrong(place: str, what: str, help: str) -> ConfigError:
    """The error of one argument."""
    return ConfigError([Problem(place, None, None, what, help)])


@contextmanager
def placed(whole: str, places: dict[str, str] | None = None) -> Iterator[None]:
    """Gives problems without a place the place ``whole``, and others the arguments they are of."""
    known = {"": whole, **(places or {})}
    try:
        yield
    except ConfigError as error:
        error.problems = [
            replace(one, place=known.get(one.place, one.place)) for one in error.problems
        ]
        error.args = ("\n".join(map(str, error.problems)),)
        raise


def whole(name: str, number: Any, least: int = 0, most: int = 2**63 - 1) -> Any:
    """A whole number within bounds, or None."""
    if number is None:
        return None
    try:
        value = index(number)
    except TypeError:
        value = None
    if value is not None and least <= value <= most:
        return value
    found = f"expected a whole number, found {number!r}"
    what = found if value is None else f"{value} is out of range"
    upper = "below 2**63" if most == 2**63 - 1 else f"{most:,}"
    raise wrong(name, what, f"give a whole number from {least} to {upper}")


def real(name: str, number: Any) -> float:
    """A number."""
    try:
        return float(number)
    except (TypeError, ValueError):
        raise wrong(name, f"expected a number, found {number!r}", "give a number") from None


def one_of(name: str, word: object, known: tuple[str, ...]) -> None:
    """Refuses a word that is none of those known."""
    if word not in known:
        raise wrong(name, f"unknown word {word!r}", f"known words: {', '.join(known)}")
